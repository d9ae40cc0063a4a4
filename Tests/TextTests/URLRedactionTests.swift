import Foundation
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
    (
      "https://e.com/a.png?authkey=S3CRET&s=S3CRET&_upt=S3CRET",
      "https://e.com/a.png?authkey=******&s=******&_upt=******"
    ),
    (
      "https://e.com/a;jsessionid=S3CRET?code=1234&fm=webp",
      "https://e.com/a;jsessionid=****************&fm=webp"
    ),
    ("https://e.com/a?anything=S3CRET", "https://e.com/a?anything=******"),
    // However a value begins.
    ("https://e.com/a?token=.S3CRET", "https://e.com/a?token=*******"),
    ("https://e.com/a?token=(S3CRET", "https://e.com/a?token=*******"),
    ("https://e.com/a?s=(S3CRET,1)&w=2", "https://e.com/a?s=**********&w=2"),
    ("https://e.com/a?token=\"S3CRET", "https://e.com/a?token=*******"),
    ("https://e.com/a?token=\"my S3CRET\" card", "https://e.com/a?token=*********** card"),
    ("\"https://e.com/a?token=\"S3CRET\" card", "\"https://e.com/a?token=*******\" card"),
    ("\"https://e.com/a?my S3CRET\" card", "\"https://e.com/a?*********\" card"),
    ("https://e.com/a?\"S3CRET", "https://e.com/a?*******"),
    ("https://bob:\"S3CRET@e.com/a", "https://***********@e.com/a"),
    ("\"https://bob:my S3CRET@e.com/a\" x", "\"https://*************@e.com/a\" x"),
    ("https://e.com/a,https://bob:S3CRET@e.com/b", "https://e.com/a,https://**********@e.com/b"),
    ("https://e.com/a?S3CRET;w=2", "https://e.com/a?******;w=2"),
    (#"{"a":"//e.com/a?token=S3CRET","b":"@2x"}"#, #"{"a":"//e.com/a?token=******","b":"@2x"}"#),
    ("https://e.com/ax?s=(9.6e+17, -1.99e-17),c=d", "https://e.com/ax?s=(9.6e+17, -1.99e-17),c=d"),
    ("https://e.com/a?S3CRET", "https://e.com/a?******"),
    ("https://e.com/a?S3CRET==", "https://e.com/a?******=*"),
    ("https://e.com/a?w=2&S3CRET#f", "https://e.com/a?w=2&******#f"),
    ("https://e.com/a?webp=1&S3CRET and more? yes", "https://e.com/a?webp=*&****** and more? yes"),
    // A colon behind the sign is no password's.
    (
      #"a | custom("q\"q") | custom("x@y") | b(size: 3)"#, #"a | custom("q\"q") | custom("x@y") | b(size: 3)"#
    ),
    ("https://e.com/a?20261127", "https://e.com/a?20261127"),
    ("https://e.com/a?lossless&w=", "https://e.com/a?lossless&w="),
    (
      "https://e.com/a.pngcom.github.kean/nuke/resize?s=(44.0, 44.0),cm=.aspectFill,crop=false",
      "https://e.com/a.pngcom.github.kean/nuke/resize?s=(44.0, 44.0),cm=.aspectFill,crop=false"
    ),
  ])
  func credentialsAreHiddenAndTheRestStays(url: String, shown: String) {
    #expect(URLRedaction.redacted(url) == shown)
  }

  @Test(arguments: [
    "authkey", "session_id", "PHPSESSID", "jsessionid", "code", "s", "_upt", "otp", "md5", "access_token",
    "sig",
    "X-Amz-Signature", "X-Goog-Credential", "hdnts", "user[token]", "user%5Btoken%5D", "%74oken", "csrf",
    "api_key", "apikey", "pwd",
    "auth",
    "client_secret", "refresh-token", "ticket", "sid", "jwt", "oauth", "nonce", "Policy", "Key-Pair-Id",
    "password", "passwd", "bearer", "cookie",
  ])
  func aKeyWithACredentialIsKnown(name: String) {
    #expect(SecretMask.holdsCredential("https://e.com/a.png?w=1&\(name)=S3CRET"))
    #expect(!URLRedaction.redacted("https://e.com/a.png?w=1&\(name)=S3CRET").contains("S3CRET"))
  }

  /// What is hidden in the URL takes nothing of the client's own part with it.
  @Test(arguments: [
    ("https://e.com/a?S3CRET", "com.example/blur?x=1", "https://e.com/a?******com.example/blur?x=1"),
    ("https://e.com/a?t=S3CRET", "@RoundCorner(8)", "https://e.com/a?t=******@RoundCorner(8)"),
    ("https://é.com/a?t=S3CRÉT", "com.example/é?s=(4, 4)", "https://é.com/a?t=******com.example/é?s=(4, 4)"),
    (
      "https://b:S3CRET@e.com/a", "com.example/x?token=S3CRET",
      "https://********@e.com/acom.example/x?token=******"
    ),
    ("https://e.com/a?S3CRET", "", "https://e.com/a?******"),
    // An image ID that begins with the URL.
    ("https://e.com/a", "?S3CRETcom.example/x", "https://e.com/a?*******************"),
    ("https://e.com/a?w=1", "&S3CRET", "https://e.com/a?w=1&******"),
  ])
  func aKeyEndsItsURLWhereTheSourceEnds(url: String, own: String, shown: String) {
    #expect(URLRedaction.key(url + own, source: URLRedaction.redacted(url)) == shown)
  }

  @Test func aKeyThatDoesNotBeginWithTheURLIsHiddenLikeAnyText() {
    for source in [nil, "https://e.com/other", "id?S3CRETcom.example/xyz"] {
      #expect(URLRedaction.key("id?S3CRETcom.example/x", source: source) == "id?*******************")
    }
  }

  /// Text that each rule has to look through, and that begins something else again and again.
  @Test(arguments: [
    "&s=(", "&s=(1", "?", "?a", "a@", "://", "u:p/", "//", "\"", "\" @", "=", "a=", "&a=\"", "%3F", ";#",
    "a:@", "##", "\u{316}\u{301}",
  ])
  func theTimeIsThatOfTheLength(part: String) {
    // What else the machine does is not counted.
    func time(_ text: String) -> Int {
      (0..<3).map { _ in
        let start = clock()
        _ = (
          URLRedaction.redacted(text), URLRedaction.withoutCredentials(text), RedactedURL(text),
          SafeText.escape(text)
        )
        return clock() - start
      }.min() ?? 0
    }
    func clock() -> Int {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
    let times = [2000, 20_000].map { time("https://e.com/?" + String(repeating: part, count: $0)) }
    #expect(times[1] < times[0] * 30, "\(times)")
  }

  @Test func aPathParameterIsAQueryToo() {
    #expect(
      RedactedURL("https://u:S3CRET@h:8/a;jsessionid=S3CRET;w=3/b.png;sid=S3CRET?x=S3CRET").description
        == "https://********@h:8/a;jsessionid=" + String(repeating: "*", count: 36))
    #expect(SecretMask.holdsCredential("https://e.com/a.png;jsessionid=S3CRET"))
  }

  @Test func aKeyOfAPictureHoldsNone() {
    #expect(!SecretMask.holdsCredential("https://e.com/a.png?w=1&id=5&anything=2"))
    #expect(
      !SecretMask.holdsCredential(
        "https://e.com/a.pngcom.github.kean/nuke/resize?s=(44.0, 44.0),cm=.aspectFill"))
  }

  @Test func aURLIsCutAtTheLengthThatIsAskedForAndEscapedOnlyIfThatIsAsked() {
    let url = "http://u:SECRET@h/" + String(repeating: "x", count: 600) + "\u{1b}"
    #expect(RedactedURL(url).description.count == 303)
    #expect(RedactedURL(url, limit: 500, escapes: false).description.count == 503)
    #expect(RedactedURL("http://h/\u{1b}", limit: 500, escapes: false).description == "http://h/\u{1b}")
    #expect(RedactedURL("http://h/\u{1b}").description == "http://h/\\u{1b}")
  }
}
