import Testing

@testable import Text

@Suite(.timeLimit(.minutes(10)))
struct URLRedactionTests {
  @Test(arguments: [
    ("https://user:S3CRET@e.com/a.png", "https://***********@e.com/a.png"),
    ("https://e.com/a.png?token=S3CRET&w=2", "https://e.com/a.png?token=******&w=2"),
    (
      "https://e.com/a.png?w=2&X-Amz-Signature=S3CRET#f", "https://e.com/a.png?w=2&X-Amz-Signature=******#f"
    ),
    ("https://e.com/a.png?key=S3CRET", "https://e.com/a.png?key=******"),
    ("https://e.com/a.png?access_token=S3CRET", "https://e.com/a.png?access_token=******"),
    ("https://e.com/a.png?w=100&h=200", "https://e.com/a.png?w=100&h=200"),
    ("https://e.com/a@2x.png", "https://e.com/a@2x.png"),
    ("avatar-42", "avatar-42"),
  ])
  func credentialsAreHiddenAndTheRestStays(url: String, shown: String) {
    #expect(URLRedaction.redacted(url) == shown)
  }

  @Test func aURLIsCutAtTheLengthThatIsAskedForAndEscapedOnlyIfThatIsAsked() {
    let url = "http://u:SECRET@h/" + String(repeating: "x", count: 600) + "\u{1b}"
    #expect(RedactedURL(url).description.count == 303)
    #expect(RedactedURL(url, limit: 500, escapes: false).description.count == 503)
    #expect(RedactedURL("http://h/\u{1b}", limit: 500, escapes: false).description == "http://h/\u{1b}")
    #expect(RedactedURL("http://h/\u{1b}").description == "http://h/\\u{1b}")
  }
}
