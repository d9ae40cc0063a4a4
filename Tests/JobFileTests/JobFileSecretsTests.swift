import JobSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct JobFileSecretsTests {
  /// Lines with a secret, most of them wrong in some way so that they are shown.
  static let lines = [
    "header e.com Authorization: Bearer s3cr3t", "header e.com Authorization: Bearer s3cr3t ${NONE}",
    "header e.com Authorization Bearer s3cr3t", "header Authorization: Basic s3cr3t:s3cr3t",
    "header https://u:s3cr3t@e.com A: s3cr3t", "heder e.com Authorization: Bearer s3cr3t",
    "headers e.com Cookie s3cr3t", "header: e.com X: s3cr3t", "Authorization: Bearer s3cr3t",
    "Authorization:s3cr3t card", "header e.com X: s3cr3t\u{1}", "header e.com X: ${SECRET}\u{1}",
    "header e.com X: ${LINES}", "header e.com X: 1\nheader e.com x: s3cr3t",
    "https://bob:s3cr3t@e.com/1.jpg crad", "https://s3cr3t@e.com/1.jpg crad", "https://b:s3c/r3t@e.com/ crad",
    "https://b:s3cr3t/x@e.com/1.jpg crad", "https://b:s3cr3t?x@e.com/1.jpg crad",
    "https://e.com/1.jpg?token=s3cr3t&w=3 crad", "https://e.com/ü.jpg?a=1&X-Amz-Signature=s3cr3t crad",
    "https://e.com/1.jpg?API_KEY=s3cr3t", "https://e.com/1.jpg#access_token=s3cr3t crad",
    "\"https://e.com/1.jpg?password=my s3cr3t\" crad", "\"https://e.com/1.jpg?sig=my s3cr3t",
    "htps://e.com/1.jpg?sig=s3cr3t", "ftp://bob:s3cr3t@e.com/1.jpg", "e.com/1.jpg?auth=s3cr3t",
    "bob:s3cr3t@e.com/1.jpg", "/1.png crad id=https://e.com/?jwt=s3cr3t",
    "https://e.com/p?url=https%3A%2F%2Fx%2F%3Ftoken%3Ds3cr3t crad", "https://:80/?token=s3cr3t",
    "https://e.com/1.jpg?token=s3cr3t\u{1}", "include https://b:s3cr3t@e.com/l?token=s3cr3t card",
    "https://e.com/1.jpg?token=s3cr3t priority=https://e.com/?token=s3cr3t",
    "https://e.com/ü?key=s3cr3t card", "client nuke ?token=s3cr3t",
  ]

  @Test("No diagnostic holds a secret", arguments: lines)
  func secret(line: String) {
    let environment = ["SECRET": "s3cr3t", "LINES": "s3cr3t\ns3cr3t"]
    for head in [JobFileReading.head, "cache o\n"] {
      let job = JobFileReading(head + line + "\n/1.png circle", environment: environment)
      let shown = job.diagnostics.rendered() + job.diagnostics.map { "\($0)" }.joined()
      #expect(!shown.contains("s3cr3t") && !shown.contains("s3c/r3t"), "\(shown)")
    }
  }

  @Test func theFirstURLThatCarriesATokenIsOneLint() {
    let job = JobFileReading(
      JobFileReading.head
        + """
        https://e.com/1.jpg?w=2 card
        https://e.com/2.jpg?token=2&w=2 card
        https://e.com/3.jpg?X-Amz-Signature=a&X-Amz-Date=b card
        https://e.com/4.jpg?monkey=1&author=2 card
        https://bob@e.com/5.jpg card
        """)
    #expect(job.errors.isEmpty)
    #expect(job.warnings.map(\.line) == [5, 8])
    #expect(job.warnings.first?.help?.hasPrefix("strip-query token   if") == true)
    #expect(job.warnings.last?.message.contains("user name or password") == true)
    let stripped = JobFileReading(
      JobFileReading.head + "strip-query tok*\nhttps://e.com/1.jpg?token=1 card")
    #expect(stripped.diagnostics.isEmpty)
  }

  @Test(arguments: [
    ("sv=2023-11-03&sp=r&sr=b&se=2026-01-01T00:00:00Z&sig=x&w=3", "se sig sp sr sv"),
    ("Expires=1&Signature=x&Key-Pair-Id=k&w=3", "Expires Key-Pair-Id Signature"),
    ("AWSAccessKeyId=a&Expires=1&Signature=x", "AWSAccessKeyId Expires Signature"),
    ("md5=x&expires=1", "expires md5"), ("stp=dst&oh=a&oe=b&_nc_ohc=c&_nc_ht=d", "_nc_* oe oh"),
    ("ex=1&is=2&hm=3", "ex hm is"), ("e=1451491200&token=x&id=1451491200", "e token"),
    ("q-sign-time=1;2&q-ak=k&q-signature=x&imageView2/1=1", "q-*"),
    ("x-oss-process=image/resize&OSSAccessKeyId=a&Expires=1&Signature=x", "Expires OSSAccessKeyId Signature"),
    ("X-Amz-Date=1&X-Amz-Expires=1&X-Amz-Signature=x", "X-Amz-*"),
    ("X-Goog-Date=1&X-Goog-Signature=x", "X-Goog-*"),
    ("GoogleAccessId=x&Expires=1&Signature=a", "Expires GoogleAccessId Signature"),
    ("hdnts=exp=1~hmac=2", "hdnts"),
    ("token=abc&expires=1", "expires token"),
  ])
  func theAdviceNamesAllItemsThatChange(query: String, names: String) throws {
    let url = "https://e.com/1.jpg?\(query)"
    let job = JobFileReading(JobFileReading.head + "\(url) card")
    let warning = try #require(job.warnings.first)
    #expect(job.warnings.count == 1)
    #expect(warning.help?.hasPrefix("strip-query \(names)   if") == true, "\(warning)")
    // The advice leaves nothing to say, and half of it is not enough.
    let done = JobFileReading(JobFileReading.head + "strip-query \(names)\n\(url) card")
    #expect(done.warnings == [])
    let words = names.split(separator: " ")
    for word in words where words.count > 1 {
      #expect(
        JobFileReading(JobFileReading.head + "strip-query \(word)\n\(url) card").warnings.count == 1,
        "\(word)")
    }
  }

  @Test(arguments: [
    "se=sv&w=3", "t=1451491200&w=3", "ex=1&is=2", "st=9&q-ak=1", "version=1451491200", "_nc_ht=x",
    "v=1", "alt=media&token=1", "w=3&ixlib=1&s=2", "expires=1",
  ])
  func whatIsNotSignedIsNoLint(query: String) {
    #expect(JobFileReading(JobFileReading.head + "https://e.com/1.jpg?\(query) card").warnings == [])
  }

  @Test func anIDReplacesTheURLInTheKey() {
    let job = JobFileReading(
      JobFileReading.head
        + "https://e.com/1.jpg?token=1 card id=one\nhttps://bob@e.com/2.jpg card id=two\nhttps://e.com/ü.png card id=three"
    )
    #expect(job.warnings.map(\.line) == [6])
    #expect(job.warnings.first?.help == nil)
  }

  @Test func columnsStayRightBehindAHiddenSecret() throws {
    let job = JobFileReading(JobFileReading.head + "https://b:pä@e.com/1.jpg?sig=üü&w=1 crad")
    let error = try #require(job.errors.first)
    #expect(error.sourceLine == "https://****@e.com/1.jpg?sig=**&w=1 crad")
    #expect(error.column == 37)
  }
}
