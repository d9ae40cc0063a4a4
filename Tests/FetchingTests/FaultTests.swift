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
    loader = HTTPLoader.test { $0.signposts = tally.signposts }
  }

  @Test(arguments: [
    ("/trunc?size=1000&cut=500", HTTPFailure.Code.truncated, true), ("/trunc?size=9&cut=0", .truncated, true),
    ("/chunk-cut", .truncated, true), ("/badchunk", .network, true), ("/rst", .network, true),
    ("/close", .network, true), ("/garbage", .network, false), ("/bad-gzip", .network, false),
    ("/cut-gzip", .network, false), ("/gzip?wrong=1", .network, false),
    ("/coding?name=gzip", .network, false), ("/coding?name=br", .network, false), ("/empty", .empty, false),
    ("/204", .empty, false),
    ("/partial", .status, false), ("/status/404", .status, false), ("/status/304", .status, true),
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
    let configuration = HTTPConfiguration.test.with { $0.longestSilence = .seconds(1) }
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
    let failures = await loader.failures((0..<8).map { _ in server.url("/ok?delay=0.5") })
    #expect(failures.allSatisfy { $0 == nil })
  }

  @Test(arguments: [
    "/ok?size=100001", "/chunked?size=100001", "/close-delimited?size=100001", "/big-chunked?size=4194304",
    "/bomb-gzip", "/bomb-gzip?twice=1", "/gzip?size=100001", "/too-long?size=100001",
  ])
  func nothingLargerThanTheLimitComesThrough(target: String) async throws {
    let loader = HTTPLoader.test { $0.maxBodyBytes = 100_000 }
    let failure = try #require(await loader.failure(server.url(target)))
    #expect(failure.code == .tooLarge)
    #expect(!failure.isRetryable)
    #expect(try await loader.load(server.url("/ok?size=100000")).body.count == 100_000)
  }

  /// An announced length beyond the limit is refused before the body; a coded body that says nothing is counted on the wire;
  /// of an endless error page the status counts.
  @Test(
    arguments: [
      ("/ok?size=10000000", 100_000_000, 1_000_000, HTTPFailure.Code.tooLarge, 3_000_000),
      ("/chunked?size=10000000", 100_000_000, 1_000_000, .tooLarge, 3_000_000),
      ("/ok?size=20000000", 5_000_000, nil, .tooLarge, 1_000_000),
      ("/silent-gzip?size=5000000", 100_000, nil, .tooLarge, 2_000_000),
      ("/big-error?size=5000000", nil, nil, .status, 2_000_000), ("/ok?size=5000", 1000, 5000, nil, 8000),
    ] as [(String, Int?, Int?, HTTPFailure.Code?, Int)])
  func limitsBoundWhatIsTransferred(
    target: String, limit: Int?, own: Int?, code: HTTPFailure.Code?, most: Int
  ) async throws {
    let loader = HTTPLoader.test {
      if let limit { $0.maxBodyBytes = limit }
      $0.signposts = tally.signposts
    }
    let request = HTTPRequest(url: server.url(target), maxBodyBytes: own)
    let failure = await loader.failure(request)
    #expect(failure?.code == code)
    if target.hasPrefix("/big-error") { #expect(failure?.status == 404) }
    if let own, code != nil { #expect(failure?.message.contains("\(own) bytes") == true) }
    #expect(tally.counts.bytesOnWire < most)
  }

  /// They are decoded one after the other, beside the thread of the transfers.
  @Test func bombsHoldUpNobody() async throws {
    let loader = HTTPLoader.test { $0.maxBodyBytes = 100_000_000 }
    // Its answers do not wait for a place among the bombs.
    let other = try FaultServer()
    let ended = Locked(0)
    let bombs = (0..<24).map { _ in
      Task {
        let failure = await loader.failure(server.url("/bomb-gzip?size=120000000"))
        ended.withLock { $0 += 1 }
        return failure
      }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 { group.addTask { _ = try await loader.load(other.url("/ok?size=20000")) } }
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
    let loader = HTTPLoader.test {
      $0.maxBodyBytes = 2_000_000
      $0.longestSilence = .seconds(2)
    }
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
}
