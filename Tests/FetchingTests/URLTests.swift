import Testing

@testable import Fetching
@testable import Text

/// What is connected to, how a server is called, and what a message may show.
@Suite("URLs", .timeLimit(.minutes(10)))
struct URLTests {
  @Test(arguments: [
    ("http://Host.Example/A?b=c#d", "http://host.example:80"), ("https://h", "https://h:443"),
    ("HTTP://h:8080/", "http://h:8080"), ("http://[::1]:81/", "http://[::1]:81"),
    ("http://2130706433/", "http://127.0.0.1:80"), ("http://0x7f.1/", "http://127.0.0.1:80"),
    ("http://0177.0.0.1/", "http://127.0.0.1:80"), ("http://127.1/", "http://127.0.0.1:80"),
    ("http://u:p@h/", "http://h:80"), ("https://h:80/", "https://h:80"),
  ])
  func theOriginIsWhatIsConnectedTo(text: String, origin: String) throws {
    #expect(try HTTPURL(text).origin == origin)
  }

  @Test func theQueryAndThePathStayAsTheyWereWritten() throws {
    let url = try HTTPURL("http://h/a/../b//c%2F?x=1&y=a+b%20c#frag")
    #expect(url.text == "http://h/a/../b//c%2F?x=1&y=a+b%20c")
  }

  @Test func whatASocketCannotCarryIsEncoded() throws {
    #expect(try HTTPURL("http://h/é x").text.lowercased() == "http://h/%c3%a9%20x")
  }

  @Test func userInfoIsDecodedAndLeavesTheText() throws {
    let url = try HTTPURL("http://us%40er:p%3Aw@h/p")
    #expect(url.user == "us@er")
    #expect(url.password == "p:w")
    #expect(url.text == "http://h/p")
  }

  @Test(arguments: [
    "", "h/p", "//h/p", "file:///etc/passwd", "ftp://h/", "gopher://h/", "javascript:x", "data:,x",
    "http://", "http:///", "http://h:99999/", "http://h:x/", "http://h/\0x", "http://h/a\nb",
    "http://h/\u{7f}", "http://[::1/", "http://a b/", "dict://h:1/",
  ])
  func whatIsNoWebAddressIsRefused(text: String) {
    #expect {
      try HTTPURL(text)
    } throws: { error in
      (error as? HTTPFailure)?.code == .url
    }
  }

  @Test(arguments: [
    ("https://h/p", "https://h/p"), ("https://h/p?token=SECRET", "https://h/p"),
    ("https://h/p#SECRET", "https://h/p"), ("https://h?SECRET", "https://h"),
    ("https://u:SECRET@h:8443/p", "https://********@h:8443/p"), ("https://SECRET@h/p", "https://******@h/p"),
    ("https://u:SEC@RET@h/p", "https://*********@h/p"), ("https://u:SEC/RET@h/p", "https://*********@h/p"),
    ("https://u:SEC?RET@h/p", "https://*************"), ("https://u:SEC#RET@h/p", "https://*********@h/p"),
    ("https://h/img@2x.png", "https://h/img@2x.png"), ("https://[::1]:80/p", "https://[::1]:80/p"),
    ("https://u:SECRET@[::1]/p", "https://********@[::1]/p"), ("u:SECRET@h/p", "********@h/p"),
    ("data:image/png;base64,SECRET", "data:..."), ("DATA:,SECRET", "data:..."),
    ("/srv/a b.png", "/srv/a b.png"), ("", ""), ("://", "://"),
    ("http://h/\u{1b}[31mred", "http://h/\\u{1b}[31mred"), ("http://h/a\r\nb", "http://h/a\\r\\nb"),
    ("http://h/\u{202e}gnp", "http://h/\\u{202e}gnp"), ("http://h/\u{9b}x", "http://h/\\u{9b}x"),
    ("http://h/\u{200b}x", "http://h/\\u{200b}x"), ("http://h/é", "http://h/é"),
    ("http://u\\:SECRET@h/p", "http://*********@h/p"),
  ])
  func aURLShowsNoSecretAndMovesNoCursor(url: String, shown: String) {
    #expect(RedactedURL(url).description == shown)
  }

  @Test func aLongURLIsCut() {
    let shown = RedactedURL("http://h/" + String(repeating: "x", count: 10_000)).description
    #expect(shown.count == 303)
    #expect(shown.hasSuffix("..."))
  }

  @Test func aHeaderNeverPrintsItsValue() {
    let header = HTTPHeader(name: "Authorization", value: "Bearer SECRET")
    #expect(!"\(header)".contains("SECRET"))
    for count in [30, 31] {
      let marks = String(repeating: "\u{316}\u{301}", count: count / 2) + (count == 31 ? "\u{316}" : "")
      #expect((HTTPHeader(received: "ETag", "x" + marks) == nil) == (count == 31))
    }
  }

  @Test(arguments: [
    ("A", "x\r\nB: y"), ("A", "x\ny"), ("A", "x\0y"), ("A B", "x"), ("", "x"), ("A:", "x"), ("A\r\n", "x"),
    ("Ä", "x"),
  ])
  func aHeaderThatWouldBreakOutOfItsLineIsRefused(name: String, value: String) {
    #expect(throws: HTTPFailure.self) { try HTTPHeader(name: name, value: value).check() }
  }

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
