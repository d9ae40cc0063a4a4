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

  @Test(arguments: ["/redirect/6", "/loop"])
  func oneMoreIsAFailureThatNamesTheHops(target: String) async throws {
    let loader = HTTPLoader.test { $0.maxRedirects = 5 }
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
    // As many as the limit, whatever body stands behind the field.
    #expect(try await loader.load(server.url("/redirect/20")).body == plainBody(1000))
    #expect(try await loader.load(redirect(to: "/ok?size=7") + "&size=300000").body == plainBody(7))
  }

  /// The target's own fields go to it, those of the server that redirects stay there.
  @Test func fieldsOfTheTargetGoWithARedirect() async throws {
    let target = other.url("/headers-echo").replacing("127.0.0.1", with: "localhost")
    let loader = HTTPLoader.test { $0.allowPrivate = ["127.0.0.1", "localhost"] }
    var request = HTTPRequest(redirect(to: target), ["X-Shop": "1"])
    request.redirectHeaders = ["localhost", "127.0.0.1"].map {
      HTTPHostHeader(host: $0, header: HTTPHeader(name: "X-For", value: $0))
    }
    #expect(try await loader.echo(request, "X-For") == "localhost")
    #expect(try await loader.echo(request, "X-Shop") == nil)
  }

  @Test(arguments: [
    ("/redirect-to-file", "file:///etc/passwd"), ("/redirect-to-ftp", "ftp://"), ("/redirect-nowhere", ""),
  ])
  func noOtherSchemeIsFollowed(target: String, shown: String) async throws {
    let failure = try #require(await loader.failure(server.url(target)))
    #expect(failure.code == .redirect)
    #expect(shown.isEmpty || !failure.isRetryable && failure.message.contains(shown))
  }

  @Test(arguments: ["gopher://127.0.0.1:1/x", "data:,x", "http://", "dict://127.0.0.1:1/x", "//", "http://["])
  func aTargetThatCannotBeFetchedIsAFailure(url: String) async throws {
    #expect(await loader.failure(redirect(to: url))?.code == .redirect)
  }

  /// What the target of a redirect is sent as cookies, after as many other hops.
  private func cookies(setting cookie: String, to target: String, own: String?) async throws -> [String] {
    let encoded = cookie.utf8.map { "%" + String(0x100 + Int($0), radix: 16).dropFirst() }.joined()
    let url = redirect(to: target) + "&cookie=\(encoded)"
    let request = own.map { HTTPRequest(url, ["Cookie": $0]) } ?? HTTPRequest(url)
    return try await loader.echo(request, "Cookie").map { [$0] } ?? []
  }

  @Test func cookiesLiveWithinTheRedirectsOfOneRequest() async throws {
    let echo = "/headers-echo"
    for (cookie, target, own, sent) in [
      ("seen=1; Path=/", echo, nil, ["seen=1"]), ("seen=1; Path=/", redirect(to: echo), nil, ["seen=1"]),
      ("seen=1; Path=/", echo, "mine=2", ["seen=1; mine=2"]), ("seen=1; Path=/elsewhere", echo, nil, []),
      ("seen=1; Path=/; Domain=e.example", echo, nil, []), ("seen=1; Path=/; Max-Age=0", echo, nil, []),
    ] as [(String, String, String?, [String])] {
      #expect(try await cookies(setting: cookie, to: target, own: own) == sent, "\(cookie)")
    }
    let elsewhere = other.url(echo).replacing("127.0.0.1", with: "localhost")
    let both = HTTPLoader.test { $0.allowPrivate = ["127.0.0.1", "localhost"] }
    let request = HTTPRequest(redirect(to: elsewhere) + "&cookie=seen=1")
    #expect(try await both.echo(request, "Cookie") == nil)
    // Another request knows nothing of them.
    #expect(try await loader.echo(HTTPRequest(server.url(echo)), "Cookie") == nil)
  }

  /// The other server differs in its port only.
  @Test(arguments: [true, false]) func fieldsAndCredentialsStayWithTheirOrigin(isOther: Bool) async throws {
    let target = isOther ? other.url("/headers-echo") : "/headers-echo"
    let url = redirect(to: target).replacing("127.0.0.1", with: "user:password@127.0.0.1", maxReplacements: 1)
    let request = HTTPRequest(url, ["X-Token": "token"])
    #expect(
      try await loader.echo(request, "Host") == "127.0.0.1:\(isOther ? other.port : server.port)")
    #expect(try await loader.echo(request, "X-Token") == (isOther ? nil : "token"))
    let basic = try await loader.echo(request, "Authorization")
    #expect(basic == (isOther ? nil : "Basic dXNlcjpwYXNzd29yZA=="))
    let seen = String(decoding: try await loader.load(request).body, as: UTF8.self)
    #expect(!isOther || !seen.contains("password") && !seen.contains("token"))
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
