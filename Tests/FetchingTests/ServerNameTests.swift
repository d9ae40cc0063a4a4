import Testing

@testable import Fetching

@Suite(.timeLimit(.minutes(10))) struct ServerNameTests {
  static let names: [(String, String?)] = [
    ("https://e.com/a?b", "e.com"), ("https://E.com:443/", "e.com"), ("http://e.com:80", "e.com"),
    ("http://e.com:443/", "e.com:443"), ("https://e.com:80/", "e.com:80"),
    ("http://E.com:8080#x", "e.com:8080"),
    ("https://user:p@e.com:0443/", "e.com"), ("http://u:p@[::1]:80/x", "[::1]"),
    ("http://[::1]:81/", "[::1]:81"),
    ("http://0x7f.1/", "127.0.0.1"), ("file:///a/b", nil), ("data:image/png;base64,AAAA", nil), ("", nil),
  ]

  /// Whatever spelling a URL has, a server has one name.
  @Test(arguments: names) func aServerHasOneName(url: String, name: String?) {
    #expect(ServerName.of(url) == name)
    if let name, let hop = try? HTTPURL(url) { #expect(ServerName.of(hop.text) == name) }
  }
}
