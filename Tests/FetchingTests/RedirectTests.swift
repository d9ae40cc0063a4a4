import TestSupport
import Testing

@testable import Fetching

@Suite("Redirects", .timeLimit(.minutes(10)))
struct RedirectTests {
  private let server: FaultServer
  private let other: FaultServer
  private let loader = HTTPLoader(configuration: .test)

  init() throws {
    server = try .shared()
    other = try .shared("other")
  }

  /// Percent-encoded whole, so that the target's own query does not end the one around it.
  private func redirect(to url: String, code: Int = 302) -> String {
    let encoded = url.utf8.map { "%" + String(0x100 + Int($0), radix: 16).dropFirst() }.joined()
    return server.url("/redirect-to?code=\(code)&url=\(encoded)")
  }

  @Test(arguments: [1, 5])
  func asManyAsTheLimitAreFollowed(count: Int) async throws {
    #expect(try await loader.load(server.url("/redirect/\(count)")).body == plainBody(1000))
  }

  @Test(arguments: ["/redirect/6", "/loop"])
  func oneMoreIsAFailureThatNamesTheHops(target: String) async throws {
    let failure = try #require(await loader.failure(server.url(target)))
    #expect(failure.code == .redirect)
    #expect(failure.message.contains("more than 5 times"))
    #expect(failure.message.components(separatedBy: " -> ").count == 7)
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func everyKindLeadsToAnotherServer(code: Int) async throws {
    let response = try await loader.load(redirect(to: other.url("/ok?size=7"), code: code))
    #expect(response.body == plainBody(7))
    #expect(try other.count("/ok") >= 1)
  }

  @Test(arguments: ["/redirect-to-file", "/redirect-to-ftp"])
  func noOtherSchemeIsFollowed(target: String) async throws {
    let failure = try #require(await loader.failure(server.url(target)))
    #expect(failure.code == .redirect)
    #expect(!failure.isRetryable)
    #expect(failure.message.contains(target == "/redirect-to-file" ? "file:///etc/passwd" : "ftp://"))
  }

  @Test(arguments: ["gopher://127.0.0.1:1/x", "data:,x", "http://", "dict://127.0.0.1:1/x", "//", "http://["])
  func aTargetThatCannotBeFetchedIsAFailure(url: String) async throws {
    #expect(await loader.failure(redirect(to: url))?.code == .redirect)
  }

  @Test func aRedirectWithoutATargetIsAFailure() async {
    #expect(await loader.failure(server.url("/redirect-nowhere"))?.code == .redirect)
  }

  /// What the target of a redirect is sent as cookies, after as many other hops.
  private func cookies(
    setting cookie: String, to target: String = "/headers-echo", own: String? = nil
  ) async throws -> [String] {
    let encoded = cookie.utf8.map { "%" + String(0x100 + Int($0), radix: 16).dropFirst() }.joined()
    let url = redirect(to: target) + "&cookie=\(encoded)"
    let headers = own.map { [HTTPHeader(name: "Cookie", value: $0)] } ?? []
    let response = try await loader.load(HTTPRequest(url: url, headers: headers))
    return String(decoding: response.body, as: UTF8.self).split(separator: "\n")
      .filter { $0.hasPrefix("Cookie:") }.map { String($0.dropFirst(8)) }
  }

  @Test func cookiesLiveWithinTheRedirectsOfOneRequest() async throws {
    #expect(try await cookies(setting: "seen=1; Path=/") == ["seen=1"])
    #expect(try await cookies(setting: "seen=1; Path=/", to: redirect(to: "/headers-echo")) == ["seen=1"])
    #expect(try await cookies(setting: "seen=1; Path=/", own: "mine=2") == ["seen=1; mine=2"])
    #expect(try await cookies(setting: "seen=1; Path=/elsewhere") == [])
    #expect(try await cookies(setting: "seen=1; Path=/; Domain=e.example") == [])
    #expect(try await cookies(setting: "seen=1; Path=/; Max-Age=0") == [])
    let elsewhere = other.url("/headers-echo").replacing("127.0.0.1", with: "localhost")
    let loader = HTTPLoader(configuration: .test.with { $0.allowPrivate = ["127.0.0.1", "localhost"] })
    let url = redirect(to: elsewhere) + "&cookie=seen=1"
    let response = try await loader.load(HTTPRequest(url: url))
    #expect(!String(decoding: response.body, as: UTF8.self).contains("Cookie:"))
    // Another request knows nothing of them.
    let echo = try await self.loader.load(server.url("/headers-echo")).body
    #expect(!String(decoding: echo, as: UTF8.self).contains("Cookie:"))
  }

  @Test func fieldsAndCredentialsStayWithTheirOrigin() async throws {
    // The other server differs in its port only.
    let target = other.url("/headers-echo")
    let url = redirect(to: target).replacing(
      "127.0.0.1", with: "user:SECRET-PASSWORD@127.0.0.1", maxReplacements: 1)
    let header = HTTPHeader(name: "X-Token", value: "SECRET-TOKEN")
    let response = try await loader.load(HTTPRequest(url: url, headers: [header]))
    let seen = String(decoding: response.body, as: UTF8.self)
    #expect(seen.contains("Host: 127.0.0.1:\(other.port)"))
    #expect(!seen.contains("Authorization"))
    #expect(!seen.contains("SECRET"))
  }

  @Test func fieldsAndCredentialsFollowWithinTheirOrigin() async throws {
    let url = redirect(to: "/headers-echo")
      .replacing("127.0.0.1", with: "user:password@127.0.0.1", maxReplacements: 1)
    let header = HTTPHeader(name: "X-Token", value: "token")
    let response = try await loader.load(HTTPRequest(url: url, headers: [header]))
    let seen = String(decoding: response.body, as: UTF8.self)
    #expect(seen.contains("X-Token: token"))
    #expect(seen.contains("Authorization: Basic dXNlcjpwYXNzd29yZA=="))
  }

  @Test func aFailureBehindARedirectNamesBothPlacesAndNoSecret() async throws {
    let url = redirect(to: other.url("/status/404?token=SECRET")) + "&key=SECRET"
    let failure = try #require(await loader.failure(url))
    #expect(failure.status == 404)
    #expect(failure.message.contains(other.url("/status/404")))
    #expect(failure.message.contains("redirected from \(server.url("/redirect-to"))"))
    #expect(!failure.message.contains("SECRET"))
  }
}
