import Testing

@testable import Fetching
@testable import Text

@Suite("What a message may show", .timeLimit(.minutes(10)))
struct RedactionTests {
  @Test(arguments: [
    ("https://h/p", "https://h/p"), ("https://h/p?token=SECRET", "https://h/p"),
    ("https://h/p#SECRET", "https://h/p"), ("https://h?SECRET", "https://h"),
    ("https://u:SECRET@h:8443/p", "https://h:8443/p"), ("https://SECRET@h/p", "https://h/p"),
    ("https://u:SEC@RET@h/p", "https://h/p"), ("https://u:SEC/RET@h/p", "https://..."),
    ("https://u:SEC?RET@h/p", "https://..."), ("https://u:SEC#RET@h/p", "https://..."),
    ("https://h/img@2x.png", "https://h/img@2x.png"), ("https://[::1]:80/p", "https://[::1]:80/p"),
    ("https://u:SECRET@[::1]/p", "https://[::1]/p"), ("u:SECRET@h/p", "...@h/p"),
    ("data:image/png;base64,SECRET", "data:..."), ("DATA:,SECRET", "data:..."),
    ("/srv/a b.png", "/srv/a b.png"), ("", ""), ("://", "://"),
    ("http://h/\u{1b}[31mred", "http://h/\\u{1b}[31mred"), ("http://h/a\r\nb", "http://h/a\\r\\nb"),
    ("http://h/\u{202e}gnp", "http://h/\\u{202e}gnp"), ("http://h/\u{9b}x", "http://h/\\u{9b}x"),
    ("http://h/\u{200b}x", "http://h/\\u{200b}x"), ("http://h/é", "http://h/é"),
    ("http://u\\:SECRET@h/p", "http://h/p"),
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
}
