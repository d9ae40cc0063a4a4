import Testing

@testable import Fetching

@Suite("Verdict on an exchange", .timeLimit(.minutes(10)))
struct VerdictTests {
  private func code(
    _ result: TransferResult, status: Int = 0, asksForRange: Bool = false,
    _ change: (inout TransferOutcome) -> Void = { _ in }
  ) throws -> String {
    var outcome = TransferOutcome(result: result, status: status)
    change(&outcome)
    let url = try HTTPURL("http://host.example/p?token=secret")
    let verdict = Verdict(
      outcome, url: url, asksForRange: asksForRange, configuration: HTTPConfiguration())
    switch verdict {
    case .success: return "success"
    case .redirect(let target): return target
    case .failure(let failure):
      #expect(!failure.message.contains("secret"))
      return failure.code.rawValue + (failure.isRetryable ? " retryable" : "")
    }
  }

  @Test(arguments: [
    (TransferResult.url, "fetch.url"), (.resolve, "fetch.resolve retryable"),
    (.connect, "fetch.connect retryable"), (.untrusted, "fetch.tls"), (.handshake, "fetch.tls retryable"),
    (.timeout, "fetch.timeout retryable"), (.partial, "fetch.truncated retryable"),
    (.network, "fetch.network retryable"), (.notHTTP, "fetch.network"),
    (.tooLarge, "fetch.too-large"), (.internal, "fetch.network"),
  ])
  func everyWayToBreakHasItsCode(result: TransferResult, expected: String) throws {
    #expect(try code(result) == expected)
    guard result == .timeout else { return }
    // Silence after the connection is a stall.
    #expect(try code(.timeout) { $0.wasConnected = true } == "fetch.stalled retryable")
    #expect(try code(.timeout) { ($0.wasConnected, $0.seconds) = (true, 300) } == expected)
  }

  /// What OpenSSL says of the other side's wishes does not pass by waiting.
  @Test(arguments: [
    (
      TransferResult.handshake, "error:0A00014D:SSL routines::legacy sigalg disallowed or unsupported",
      "fetch.tls"
    ),
    (.handshake, "error:0A000126:SSL routines::unexpected eof while reading", "fetch.tls retryable"),
    (.notHTTP, "Header without colon", "fetch.headers"),
  ])
  func libcurlsWordsTellWhatPasses(result: TransferResult, detail: String, expected: String) throws {
    #expect(try code(result) { $0.detail = detail } == expected)
    #expect(try code(.network) { $0.lacksCertificate = true } == "fetch.tls")
  }

  @Test func whatHelpsAgainstAnUnknownAuthorityIsNamed() throws {
    var configuration = HTTPConfiguration()
    configuration.wording = .settings
    let outcome = TransferOutcome(result: .untrusted, status: 0, detail: "self-signed certificate")
    let url = try HTTPURL("https://e.com/a")
    let failure = try #require(HTTPFailure(outcome, url: url, configuration: configuration))
    #expect(failure.message.hasSuffix("self-signed certificate; --cacert FILE names those to trust"))
    #expect(failure.localizedDescription == failure.description)
    configuration.wording = .properties
    #expect(HTTPFailure(outcome, url: url, configuration: configuration)?.message.contains("--") == false)
  }

  @Test func aRefusedAddressIsNamedWithTheWayOut() throws {
    var outcome = TransferOutcome(result: .connect, status: 0)
    outcome.refusedAddress = IPAddress("169.254.169.254")
    let url = try HTTPURL("http://meta.example/latest?x=1")
    var configuration = HTTPConfiguration()
    configuration.wording = .settings
    let failure = try #require(HTTPFailure(outcome, url: url, configuration: configuration))
    #expect(failure.code == .privateAddress)
    #expect(!failure.isRetryable)
    #expect(outcome.health == nil)
    for part in ["meta.example", "169.254.169.254", "link-local", "--allow-private meta.example"] {
      #expect(failure.message.contains(part))
    }
  }

  /// A part passes only when asked for, or where it is the whole.
  @Test(
    arguments: [
      (nil, false, "fetch.status"), (nil, true, "success"), ("bytes 0-9/10", false, "success"),
      ("bytes 0-9/11", false, "fetch.status"), ("bytes 0-9/*", false, "fetch.status"),
      ("bytes 0-10/11", false, "fetch.status"), ("bytes 1-10/11", false, "fetch.status"),
    ] as [(String?, Bool, String)])
  func aPartOfAllBytesIsTheWhole(range: String?, asksForRange: Bool, expected: String) throws {
    let code = try code(.complete, status: 206, asksForRange: asksForRange) {
      ($0.bodyCount, $0.fields) = (10, range.map { [HTTPHeader(name: "Content-Range", value: $0)] } ?? [])
    }
    #expect(code == expected)
  }

  @Test(
    arguments: [
      (nil, 0, false, true, true), (10, 10, false, true, false), (10, 11, false, true, true),
      (nil, 11, true, true, false), (nil, 11, false, false, false),
    ] as [(Int64?, Int64, Bool, Bool, Bool)])
  func aLengthIsUnverifiedWhenNothingBoundsTheBody(
    announced: Int64?, received: Int64, isChunked: Bool, isHTTP1: Bool, isUnverified: Bool
  ) {
    var outcome = TransferOutcome(result: .complete, status: 200)
    (outcome.announcedLength, outcome.receivedLength) = (announced, received)
    (outcome.isChunked, outcome.isHTTP1) = (isChunked, isHTTP1)
    #expect(outcome.isLengthUnverified == isUnverified)
  }
}
