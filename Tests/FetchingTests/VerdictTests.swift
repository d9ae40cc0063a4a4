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
  }

  @Test func silenceAfterTheConnectionIsAStall() throws {
    #expect(try code(.timeout) { $0.wasConnected = true } == "fetch.stalled retryable")
    let late = try code(.timeout) {
      $0.wasConnected = true
      $0.seconds = 300
    }
    #expect(late == "fetch.timeout retryable")
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

  @Test(arguments: [200, 201, 203, 226, 299])
  func twoHundredsWithABodyPass(status: Int) throws {
    #expect(try code(.complete, status: status) { $0.bodyCount = 1 } == "success")
    #expect(try code(.complete, status: status) == "fetch.empty")
  }

  @Test func aPartPassesOnlyWhenAskedFor() throws {
    #expect(try code(.complete, status: 206) { $0.bodyCount = 1 } == "fetch.status")
    #expect(try code(.complete, status: 206, asksForRange: true) { $0.bodyCount = 1 } == "success")
  }

  @Test(arguments: [
    ("bytes 0-9/10", "success"), ("bytes 0-9/11", "fetch.status"), ("bytes 0-9/*", "fetch.status"),
    ("bytes 0-10/11", "fetch.status"), ("bytes 1-10/11", "fetch.status"),
  ])
  func aPartOfAllBytesIsTheWhole(range: String, expected: String) throws {
    let code = try code(.complete, status: 206) {
      ($0.bodyCount, $0.fields) = (10, [HTTPHeader(name: "Content-Range", value: range)])
    }
    #expect(code == expected)
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func aRedirectLeadsOn(status: Int) throws {
    #expect(try code(.complete, status: status) { $0.redirect = "http://b/" } == "http://b/")
    #expect(try code(.complete, status: status) == "fetch.redirect")
  }

  @Test(arguments: [300, 304, 305])
  func otherThreeHundredsAreFailures(status: Int) throws {
    #expect(try code(.complete, status: status) { $0.redirect = "http://b/" } == "fetch.status")
  }

  @Test func aLengthIsUnverifiedWhenNothingBoundsTheBody() {
    var outcome = TransferOutcome(result: .complete, status: 200)
    #expect(outcome.isLengthUnverified)
    outcome.announcedLength = 10
    outcome.receivedLength = 10
    #expect(!outcome.isLengthUnverified)
    outcome.receivedLength = 11
    #expect(outcome.isLengthUnverified)
    outcome.announcedLength = nil
    outcome.isChunked = true
    #expect(!outcome.isLengthUnverified)
    outcome.isChunked = false
    outcome.isHTTP1 = false
    #expect(!outcome.isLengthUnverified)
  }
}
