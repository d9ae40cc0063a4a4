import Concurrency
import TestSupport
import Testing

@testable import Fetching

@Suite("Faults of servers", .timeLimit(.minutes(10)))
struct FaultTests {
  private let server: FaultServer
  private let tally: TransferTally
  private let loader: HTTPLoader

  init() throws {
    let tally = TransferTally()
    self.tally = tally
    server = try .shared()
    loader = HTTPLoader(configuration: .test.with { $0.signposts = tally.signposts })
  }

  @Test(arguments: [
    ("/trunc?size=1000&cut=500", HTTPFailure.Code.truncated, true), ("/trunc?size=9&cut=0", .truncated, true),
    ("/chunk-cut", .truncated, true), ("/badchunk", .network, true), ("/rst", .network, true),
    ("/close", .network, true), ("/garbage", .network, false), ("/bad-gzip", .network, false),
    ("/cut-gzip", .network, false),
    ("/coding?name=gzip", .network, false), ("/coding?name=br", .network, false), ("/empty", .empty, false),
    ("/204", .empty, false),
    ("/partial", .status, false), ("/status/404", .status, false), ("/status/304", .status, false),
    ("/status/503", .status, true), ("/big-headers", .headers, false),
  ])
  func aBrokenAnswerIsAFailureWithItsCode(
    target: String, code: HTTPFailure.Code, isRetryable: Bool
  ) async throws {
    let failure = try #require(await loader.failure(server.url(target)))
    #expect(failure.code == code)
    #expect(failure.isRetryable == isRetryable)
    #expect(failure.message.hasPrefix("http://127.0.0.1:\(server.port)/"))
    #expect(!failure.message.contains("?"))
  }

  @Test(arguments: Set([0, 1, 499, 999] + (0..<FaultCount.of(0, full: 1000))).sorted())
  func noCutOfABodyPasses(cut: Int) async {
    #expect(await loader.failure(server.url("/trunc?size=1000&cut=\(cut)"))?.code == .truncated)
  }

  @Test func nothingListensIsAConnectFailure() async throws {
    let closed = try ClosedPort()
    let port = closed.number
    let failure = try #require(await loader.failure("http://127.0.0.1:\(port)/x"))
    #expect(failure.code == .connect)
    #expect(failure.isRetryable)
  }

  @Test func anUnknownNameIsAResolveFailure() async throws {
    let failure = try #require(await loader.failure("http://no-such-host.invalid/x?q=SECRET"))
    #expect(failure.code == .resolve)
    #expect(failure.message.contains("no-such-host.invalid"))
    #expect(!failure.message.contains("SECRET"))
  }

  @Test(arguments: ["/hang", "/hang-body", "/drip"])
  func aServerThatSaysTooLittleIsGivenUp(target: String) async throws {
    let configuration = HTTPConfiguration.test.with { $0.stallTimeout = .seconds(1) }
    let failure = await HTTPLoader(configuration: configuration).failure(server.url(target))
    #expect(failure?.code == .stalled)
    #expect(failure?.isRetryable == true)
  }

  @Test func theWholeExchangeHasALimitOfItsOwn() async throws {
    let configuration = HTTPConfiguration.test.with { $0.totalTimeout = .milliseconds(300) }
    let failure = await HTTPLoader(configuration: configuration).failure(server.url("/drip?delay=0.01"))
    #expect(failure?.code == .timeout)
  }

  @Test func theWaitForAPlaceDoesNotCount() async throws {
    let configuration = HTTPConfiguration.test.with {
      $0.maxConcurrentPerHost = 1
      $0.totalTimeout = .seconds(3)
    }
    let loader = HTTPLoader(configuration: configuration)
    // Together they need longer than one exchange may take.
    await withTaskGroup(of: HTTPFailure?.self) { group in
      for _ in 0..<8 { group.addTask { await loader.failure(server.url("/ok?delay=0.5")) } }
      for await failure in group { #expect(failure == nil) }
    }
  }

  @Test(arguments: [
    "/ok?size=100001", "/chunked?size=100001", "/close-delimited?size=100001", "/big-chunked?size=4194304",
    "/bomb-gzip", "/bomb-gzip?twice=1", "/gzip?size=100001", "/too-long?size=100001",
  ])
  func nothingLargerThanTheLimitComesThrough(target: String) async throws {
    let loader = HTTPLoader(configuration: .test.with { $0.maxBodyBytes = 100_000 })
    let failure = try #require(await loader.failure(server.url(target)))
    #expect(failure.code == .tooLarge)
    #expect(!failure.isRetryable)
    #expect(try await loader.load(server.url("/ok?size=100000")).body.count == 100_000)
  }

  @Test(arguments: ["/ok?size=10000000", "/chunked?size=10000000"])
  func aRequestsOwnLimitBoundsItsTransfer(target: String) async throws {
    let loader = HTTPLoader(
      configuration: .test.with {
        $0.maxBodyBytes = 100_000_000
        $0.signposts = tally.signposts
      })
    let request = HTTPRequest(url: server.url(target), maxBodyBytes: 1_000_000)
    let failure = await #expect(throws: HTTPFailure.self) { try await loader.load(request) }
    #expect(failure?.code == .tooLarge)
    #expect(failure?.message.contains("1000000 bytes") == true)
    #expect(tally.counts.bytesOnWire < 3_000_000)
  }

  @Test func aRequestMayAllowMoreThanItsLoader() async throws {
    let loader = HTTPLoader(configuration: .test.with { $0.maxBodyBytes = 1000 })
    let request = HTTPRequest(url: server.url("/ok?size=5000"), maxBodyBytes: 5000)
    #expect(try await loader.load(request).body.count == 5000)
  }

  @Test func anAnnouncedLengthBeyondTheLimitIsRefusedBeforeTheBody() async throws {
    let loader = HTTPLoader(
      configuration: .test.with {
        $0.maxBodyBytes = 5_000_000
        $0.signposts = tally.signposts
      })
    let failure = await loader.failure(server.url("/ok?size=20000000"))
    #expect(failure?.code == .tooLarge)
    #expect(tally.counts.bytesOnWire < 1_000_000)
  }

  @Test func aCodedBodyThatSaysNothingIsCountedOnTheWire() async throws {
    let loader = HTTPLoader(
      configuration: .test.with {
        $0.maxBodyBytes = 100_000
        $0.signposts = tally.signposts
      })
    let failure = await loader.failure(server.url("/silent-gzip?size=5000000"))
    #expect(failure?.code == .tooLarge)
    #expect(tally.counts.bytesOnWire < 2_000_000)
  }

  /// They are decoded one after the other, beside the thread of the transfers.
  @Test func bombsHoldUpNobody() async throws {
    let loader = HTTPLoader(configuration: .test.with { $0.maxBodyBytes = 100_000_000 })
    let ended = Locked(0)
    let bombs = (0..<24).map { _ in
      Task {
        let failure = await loader.failure(server.url("/bomb-gzip?size=120000000"))
        ended.withLock { $0 += 1 }
        return failure
      }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 { group.addTask { _ = try await loader.load(server.url("/ok?size=20000")) } }
      try await group.waitForAll()
    }
    #expect(ended.withLock { $0 } < 24)
    for bomb in bombs { #expect(await bomb.value?.code == .tooLarge) }
  }

  @Test(arguments: [
    ("hints", [HTTPFailure.Code.headers]), ("trailer", [.headers]), ("chunks", [.tooLarge]),
    // As a stall, or by the time of the processor that it takes.
    ("extension", [.stalled, .network]),
  ])
  func answersWithoutEndHoldUpNoOtherHost(kind: String, codes: [HTTPFailure.Code]) async throws {
    let hostile = try FaultServer.shared("floods")
    let loader = HTTPLoader(
      configuration: .test.with {
        $0.maxBodyBytes = 2_000_000
        $0.stallTimeout = .seconds(2)
      })
    let floods = (0..<3).map { number in
      Task { await loader.failure(hostile.url("/flood/\(kind)?\(number)")) }
    }
    try await Task.sleep(for: .milliseconds(100))
    let began = ContinuousClock.now
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<80 {
        group.addTask { _ = try await loader.load(server.url("/ok?size=30000&\(number)")) }
      }
      try await group.waitForAll()
    }
    #expect(ContinuousClock.now - began < .seconds(20))
    for flood in floods {
      let code = try #require(await flood.value?.code)
      #expect(codes.contains(code))
    }
  }

  @Test func anEndlessErrorPageIsCutAndItsStatusCounts() async throws {
    let failure = await loader.failure(server.url("/big-error?size=5000000"))
    #expect(failure?.status == 404)
    #expect(tally.counts.bytesOnWire < 2_000_000)
  }
}
