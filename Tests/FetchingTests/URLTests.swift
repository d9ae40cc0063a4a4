import Testing

@testable import Fetching

@Suite("URL", .timeLimit(.minutes(10)))
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
}
