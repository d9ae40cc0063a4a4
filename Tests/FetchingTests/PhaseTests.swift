import Concurrency
import Signposts
import TestSupport
import Testing

@testable import Fetching

/// How long each interval took.
private final class PhaseMemo: SignpostExporter {
  private let state = Locked<[SignpostName: [Double]]>([:])

  var seconds: [SignpostName: [Double]] { state.withLock { $0 } }

  func write(_ records: [SignpostRecord]) {
    state.withLock { state in
      for case .interval(let span, _) in records {
        state[span.name, default: []].append(Double(span.duration) / 1e9)
      }
    }
  }
}

/// The phases of exchanges, against a server that waits in each phase that is its own.
@Suite("Phases", .timeLimit(.minutes(10)))
struct PhaseTests {
  private static let count = 100
  private static let handshake = 0.008
  private static let answer = 0.012
  private static let body = 0.016

  /// The lengths of all phases, in seconds, by name.
  private func phases(isHTTPS: Bool, isReused: Bool) async throws -> [SignpostName: [Double]] {
    let server = try FaultServer(tls: isHTTPS ? .good : nil, handshakeDelay: Self.handshake)
    let memo = PhaseMemo()
    let recorder = SignpostRecorder(exporters: [memo])
    let loader = HTTPLoader.test {
      $0.caFile = server.caFile
      $0.signposts = Signposter(recorder)
    }
    let target = "/drip?size=2&before=\(Self.answer)&delay=\(Self.body)" + (isReused ? "" : "&close")
    for _ in 0..<Self.count { #expect(try await loader.load(server.url(target)).status == 200) }
    recorder.close()
    return memo.seconds
  }

  private func expect(
    _ name: SignpostName, in phases: [SignpostName: [Double]], _ count: Int, _ least: Double
  ) {
    let lengths = phases[name, default: []].sorted()
    #expect(lengths.count == count, "\(name)")
    // A machine that is busy sees the end of a wait late, and so has less of the next one.
    #expect(lengths.isEmpty || lengths[lengths.count / 2] >= 0.9 * least, "\(name)")
  }

  @Test(arguments: [false, true])
  func newConnectionsHaveEachPhaseOnce(isHTTPS: Bool) async throws {
    let phases = try await phases(isHTTPS: isHTTPS, isReused: false)
    // The first one shows that it does not speak HTTP/2.
    let probes = isHTTPS ? 1 : 0
    expect(.connectHost, in: phases, Self.count + probes, 0)
    expect(.handshakeTLS, in: phases, isHTTPS ? Self.count + probes : 0, Self.handshake)
    expect(.waitForAnswer, in: phases, Self.count, Self.answer)
    expect(.receiveBody, in: phases, Self.count, Self.body)
    let connects = phases[.connectHost, default: []].sorted()
    #expect(connects[Self.count / 2] < Self.handshake, "the loopback connects at once")
  }

  @Test(arguments: [false, true])
  func aConnectionThatWasThereIsMadeOnce(isHTTPS: Bool) async throws {
    let phases = try await phases(isHTTPS: isHTTPS, isReused: true)
    expect(.connectHost, in: phases, isHTTPS ? 2 : 1, 0)
    #expect(phases[.resolveHost, default: []].count <= 2)
    expect(.handshakeTLS, in: phases, isHTTPS ? 2 : 0, Self.handshake)
    expect(.waitForAnswer, in: phases, Self.count, Self.answer)
    expect(.receiveBody, in: phases, Self.count, Self.body)
  }

  @Test func aConnectionThatIsRefusedHasNoAnswer() async throws {
    let port = try ClosedPort()
    let memo = PhaseMemo()
    let recorder = SignpostRecorder(exporters: [memo])
    let loader = HTTPLoader.test { $0.signposts = Signposter(recorder) }
    #expect(await loader.failure("http://127.0.0.1:\(port.number)/")?.code == .connect)
    recorder.close()
    #expect(memo.seconds[.connectHost]?.count == 1)
    #expect(memo.seconds[.waitForAnswer] == nil)
  }
}
