import Foundation
import TestSupport
import Testing

@testable import Pictures
@testable import Rendering

/// A busy machine loses no picture, and one result that takes too long costs no other.
@Suite(.timeLimit(.minutes(10)), .enabled(if: FakePool.python != nil))
struct RenderTimeTests {
  private static let png = RenderOutput(steps: [], encoding: .png)
  private static let jpeg = RenderOutput(steps: [], encoding: .jpeg(quality: 80))

  private func results(
    _ outputs: [RenderOutput], _ commands: String, seconds: Double
  ) async throws(RenderFailure) -> RenderedOutputs {
    let fake = FakePool()
    let renderer = SourceRenderer(
      pool: fake.pool, limits: RenderLimits(seconds: seconds), formats: ImageFormat.trusted)
    let result: Result<RenderedOutputs, RenderFailure>
    do throws(RenderFailure) {
      result = .success(try await renderer.render(outputs, of: Array(commands.utf8)))
    } catch {
      result = .failure(error)
    }
    await fake.pool.shutdown()
    return try result.get()
  }

  private func text(_ results: RenderedOutputs, _ index: Int) throws -> String {
    String(decoding: try results.bytes(at: index, source: []), as: UTF8.self)
  }

  private func code(_ results: RenderedOutputs, _ index: Int) -> RenderFailure.Code? {
    do throws(RenderFailure) {
      _ = try results.bytes(at: index, source: [])
      return nil
    } catch {
      return error.code
    }
  }

  @Test func eachResultHasTheWholeTime() async throws {
    let results = try await results(
      [Self.png, Self.png, Self.png], "sleep 2\nmade 1\nsleep 2\nmade 2\nsleep 2\necho done", seconds: 5
    )
    #expect(try text(results, 0) == "done" && text(results, 2) == "-")
  }

  @Test func aWorkerThatSaysMoreThanThereIsIsNotBelieved() async throws {
    let fake = FakePool()
    #expect(await fake.failure("made 1\nmade 1\nmade 1\necho x")?.code == .worker)
    await fake.pool.shutdown()
  }

  @Test func timeWithoutAProcessorIsNotCounted() async throws {
    let fake = FakePool()
    #expect(try await fake.run("crawl 5\necho slow", seconds: 3).text == "slow")
    await fake.pool.shutdown()
  }

  @Test func aWorkerThatHasHadItsTimeIsStopped() async throws {
    let fake = FakePool()
    let failure = try #require(await fake.failure("spin", seconds: 0.5))
    #expect(failure.code == .timeout && failure.message.contains("0.5 s"))
    #expect(try await fake.run("echo next").text == "next")
    await fake.pool.shutdown()
  }

  @Test func whatIsLateTogetherIsMadeAlone() async throws {
    let results = try await results([Self.png, Self.jpeg, Self.png], "alone\necho done", seconds: 2)
    for index in 0..<3 { #expect(try text(results, index) == "done") }
  }

  @Test func oneLateResultIsNamedAndTheOthersAreMade() async throws {
    let results = try await results([Self.png, Self.jpeg, Self.png], "never jpeg\necho done", seconds: 2)
    #expect((0..<3).map { code(results, $0) } == [nil, .timeout, nil])
    #expect(try text(results, 0) == "done" && text(results, 2) == "done")
  }

  @Test func whatFailsInTheSecondTryIsSaidOfItsResultAlone() async throws {
    let results = try await results([Self.png, Self.jpeg], "alone\nnever png\nexit 3", seconds: 2)
    #expect((0..<2).map { code(results, $0) } == [.timeout, .crash])
  }

  @Test func theTimeOfAProcessIsThatOfItsKernel() throws {
    let before = try #require(ProcessorTime.of(getpid()))
    let own = ProcessorTime.own
    while ProcessorTime.own < own + 0.05 {}
    #expect(try #require(ProcessorTime.of(getpid())) > before)
    #expect(ProcessorTime.of(0) == nil)
  }
}

/// Whether a worker is still believed to work, from its processor time.
@Suite(.timeLimit(.minutes(10)))
struct WorkerPatienceTests {
  /// What came of waiting, where the worker's time is `times` at each look and its word comes with the last of them.
  private func wait(_ times: [Double?], seconds: Double, hasWord: Bool) throws -> Bool {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    defer { for end in ends { close(end) } }
    var rest = times[...]
    do throws(RenderFrame.Failure) {
      try WorkerPatience(seconds: seconds).wait(for: ends[0]) {
        let time = rest.popFirst() ?? times.last ?? nil
        if rest.isEmpty, hasWord { _ = write(ends[1], "x", 1) }
        return time
      }
      return true
    } catch {
      #expect(error == .timedOut)
      return false
    }
  }

  @Test func whoWorksALittleIsWaitedFor() throws {
    #expect(try wait([1, 1.01, 1.02, 1.03], seconds: 0.2, hasWord: true))
  }

  @Test func whoDoesNotWorkIsNot() throws {
    #expect(try !wait([1, 1.01, 1.01, 1.05], seconds: 0.2, hasWord: false))
    #expect(try !wait([1, 1], seconds: 0.2, hasWord: false))
  }

  @Test func whoHasHadTheTimeIsNot() throws {
    #expect(try !wait([1, 1.05, 1.11], seconds: 0.2, hasWord: false))
  }

  @Test func withoutTheKernelsWordTheClockDecides() throws {
    #expect(try !wait([nil], seconds: 0.1, hasWord: false))
  }
}
