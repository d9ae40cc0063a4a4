import TestSupport
import Testing

@testable import Fetching

@Suite("Proxies", .timeLimit(.minutes(10)))
struct ProxyTests {
  private let proxy: FaultServer

  init() throws { proxy = try .shared("proxy") }

  private func loader(_ change: (inout HTTPConfiguration) -> Void = { _ in }) -> HTTPLoader {
    HTTPLoader.test {
      $0.allowPrivate = []
      $0.proxies = HTTPProxies(http: proxy.baseURL, https: proxy.baseURL)
      change(&$0)
    }
  }

  @Test func aHostThatOnlyTheProxyKnowsIsReadThroughIt() async throws {
    let response = try await loader().load("http://only-there.example/ok?size=700")
    #expect(response.body == plainBody(700))
    #expect(try proxy.stats().requests["http://only-there.example/ok?size=700"] == 1)
  }

  @Test func aTunnelCarriesTLSToTheServerItself() async throws {
    let server = try FaultServer.shared(tls: .good)
    let loader = loader { $0.caFile = server.caFile }
    #expect(try await loader.load("https://img.example:\(server.port)/ok?size=70").body == plainBody(70))
    // The first one shows that the server does not speak HTTP/2.
    #expect(try proxy.stats().requests["img.example:\(server.port)"] == 2)
    #expect(try server.stats().requests["/ok?size=70"] == 1)
  }

  @Test(arguments: [
    "127.0.0.1", "2130706433", "0x7f.1", "localhost", "a.localhost", "localhost.", "[::1]", "10.1.2.3",
    "169.254.169.254", "[::ffff:10.0.0.1]",
  ])
  func aPrivateAddressInTheURLIsRefusedAllTheSame(host: String) async throws {
    #expect(await loader().failure("http://\(host)/ok?refused")?.code == .privateAddress)
    let redirect = "http://public.example/redirect-to?url=http%3A//\(host)/ok%3Frefused"
    #expect(await loader().failure(redirect)?.code == .privateAddress)
    #expect(try proxy.stats().requests.keys.contains { $0.contains("ok?refused") } == false)
  }

  @Test func anAllowedPrivateAddressIsReadThroughTheProxy() async throws {
    let loader = loader { $0.allowPrivate = ["10.1.2.3"] }
    #expect(try await loader.load("http://10.1.2.3/ok?allowed").status == 200)
  }

  @Test func theProxysPasswordGoesToTheProxyAndIntoNoMessage() async throws {
    let loader = loader {
      $0.proxies.http = "http://us%65r:SECRET@127.0.0.1:\(proxy.port)"
    }
    let echo = try await loader.load("http://some.example/headers-echo").body
    #expect(String(decoding: echo, as: UTF8.self).contains("Proxy-Authorization: Basic dXNlcjpTRUNSRVQ="))
    let closed = try ClosedPort()
    let gone = closed.number
    let dead = self.loader { $0.proxies.http = "http://user:SECRET@127.0.0.1:\(gone)" }
    let failure = try #require(await dead.failure("http://some.example/"))
    #expect(failure.code == .connect)
    #expect(failure.message.contains("no connection through the proxy 127.0.0.1:\(gone)"), "\(failure)")
    #expect(!failure.message.contains("SECRET"))
    #expect(HTTPProxies(http: "http://user:SECRET@p.example:1").names == ["p.example:1"])
    #expect(HTTPProxies(http: "http://p.example:1/?SECRET").names == ["http://p.example:1/"])
  }

  @Test(
    arguments: [
      (["http_proxy": "a"], "a", nil), (["HTTP_PROXY": "a"], nil, nil), (["HTTPS_PROXY": "a"], nil, "a"),
      (["https_proxy": "a", "HTTPS_PROXY": "b"], nil, "a"), (["ALL_PROXY": "a"], "a", "a"),
      (["all_proxy": "a", "https_proxy": "b"], "a", "b"), (["http_proxy": "", "all_proxy": "c"], "c", "c"),
      (["http_proxy": "a", "no_proxy": "*"], nil, nil), (["http_proxy": "a", "NO_PROXY": "e.com"], "a", nil),
      (["http_proxy": "a", "no_proxy": "x, img.e.com"], nil, nil), ([:], nil, nil),
    ] as [([String: String], String?, String?)])
  func theEnvironmentIsReadAsCurlReadsIt(variables: [String: String], http: String?, https: String?) throws {
    let proxies = HTTPProxies(environment: variables)
    #expect(
      try proxies.proxy(for: HTTPURL("http://img.e.com/")) == (variables["NO_PROXY"] == nil ? http : nil))
    #expect(try proxies.proxy(for: HTTPURL("https://img.e.com/")) == https)
  }

  @Test(arguments: [
    ("e.com", "e.com", true), (".e.com", "e.com", true), ("e.com", "a.e.com", true),
    ("e.com.", "e.com", true),
    ("e.com", "notE.com", false), ("E.COM", "e.com", true), ("e.com", "e.com.", true), ("", "e.com", false),
    ("*.e.com", "a.e.com", true), ("e.com:81", "e.com", false), ("e.com:80", "e.com", true),
    ("*", "e.com", true),
    ("10.0.0.1:80", "10.0.0.1", true), ("[::1]:81", "[::1]", false), ("10.0.0.0/8", "10.9.9.9", true),
    ("10.0.0.0/8", "11.9.9.9", false),
    ("10.0.0.1", "10.0.0.1", true), ("0.0.0.1", "10.0.0.1", false), ("10.0.0.0/33", "10.0.0.0", false),
    ("192.168.0.0/23", "192.168.1.9", true), ("192.168.0.0/23", "192.168.2.9", false),
    ("[::1]", "[::1]", true), ("fe80::/10", "[fe80::9]", true), ("fe80::/10", "[2001::9]", false),
  ])
  func hostsAreReachedDirectlyAsCurlWould(entry: String, host: String, isDirect: Bool) throws {
    let proxies = HTTPProxies(http: "p", bypass: [entry, "x"])
    #expect(try (proxies.proxy(for: HTTPURL("http://\(host)/")) == nil) == isDirect)
  }
}
