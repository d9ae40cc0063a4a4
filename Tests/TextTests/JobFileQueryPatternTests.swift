import Testing

@testable import Text

@Suite(.timeLimit(.minutes(10)))
struct JobFileQueryPatternTests {
  @Test(
    "Patterns match whole names, and * any run",
    arguments: [
      ("token", "token", true), ("token", "Token", false), ("token", "tokens", false), ("token", "", false),
      ("X-Amz-*", "X-Amz-Signature", true), ("X-Amz-*", "X-Amz-", true), ("X-Amz-*", "Y-Amz-Date", false),
      ("*", "", true), ("*", "anything", true), ("*sig", "my-sig", true), ("*sig", "sigma", false),
      ("a*b*c", "aXbYbZc", true), ("a*b*c", "aXcYb", false), ("**a", "ba", true), ("*ü*", "aüb", true),
    ])
  func matching(pattern: String, name: String, isMatch: Bool) {
    #expect(QueryNames([pattern]).contains(Array(name.utf8)[...]) == isMatch)
  }

  @Test(
    "Stripping keeps the rest byte for byte",
    arguments: [
      ("https://e.com/1.jpg", "https://e.com/1.jpg"),
      ("https://e.com/1.jpg?", "https://e.com/1.jpg?"),
      ("https://e.com/1.jpg?token=1", "https://e.com/1.jpg"),
      ("https://e.com/1.jpg?token", "https://e.com/1.jpg"),
      ("https://e.com/1.jpg?token=1#f?token=2", "https://e.com/1.jpg#f?token=2"),
      ("https://e.com/1.jpg?b=%2f&token=1&a=", "https://e.com/1.jpg?b=%2f&a="),
      ("https://e.com/1.jpg?token=1&&b", "https://e.com/1.jpg?&b"),
      ("https://e.com/1.jpg?sig=a=b&tokens=1&sig=c", "https://e.com/1.jpg?tokens=1"),
      ("https://e.com/token=1?a=?token=1", "https://e.com/token=1?a=?token=1"),
    ])
  func strip(url: String, expected: String) {
    #expect(QueryNames(["token", "s*g"]).strip(url) == expected)
  }

  @Test func nothingIsStrippedWithoutPatterns() {
    #expect(QueryNames([]).strip("https://e.com/?a=1") == "https://e.com/?a=1")
    #expect(QueryNames(["a"]).strip("https://e.com/?a=1&b=2") == "https://e.com/?b=2")
  }
}
