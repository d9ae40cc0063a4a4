import ClientKit
import Foundation
import JobSupport
import TestSupport
import Testing

@testable import JobFile
@testable import Pictures

@Suite(.timeLimit(.minutes(10)))
struct JobFileEntryTests {
  private func entries(_ lines: String) -> JobFileReading { JobFileReading(JobFileReading.head + lines) }

  static let sources: [(line: String, key: String, scheme: SourceScheme)] = [
    ("https://e.com/a.jpg", "https://e.com/a.jpg", .https),
    ("http://E.com:8080/a(1).jpg?b=(c)&d#e card", "http://E.com:8080/a(1).jpg?b=(c)&d#e", .http),
    ("HTTPS://e.com/%c3%BC.png card", "HTTPS://e.com/%c3%BC.png", .https),
    ("https://e.com", "https://e.com", .https),
    ("\thttps://[::1]:80/a.png\tcard", "https://[::1]:80/a.png", .https),
    ("https://e.com/a.png#f # a comment", "https://e.com/a.png#f", .https),
    ("\"https://e.com/a b.png\" card", "https://e.com/a%20b.png", .https),
    ("https://e.com/café.png card", "https://e.com/caf%C3%A9.png", .https),
    ("https://bücher.example/a.png", "https://xn--bcher-kva.example/a.png", .https),
    ("https://e.com/100%.png", "https://e.com/100%25.png", .https),
    ("https://e.com/a|b^c`d.png", "https://e.com/a%7Cb%5Ec%60d.png", .https),
    ("https://e.com/[1].png", "https://e.com/%5B1%5D.png", .https),
    ("file:///srv/a.png card", "file:///srv/a.png", .file),
    ("data:image/gif;base64,R0lGODlhAQABAAAAACw=", "data:image/gif;base64,R0lGODlhAQABAAAAACw=", .data),
    ("/srv/a_b-c/x~1.png", "file:///srv/a_b-c/x~1.png", .file),
    ("/srv/a.png", "file:///srv/a.png", .file),
    ("\"/srv/my art/ü.png\" card", "file:///srv/my%20art/%C3%BC.png", .file),
    ("/srv/./x/..//a.png", "file:///srv/a.png", .file),
    ("/srv/a#b.png", "file:///srv/a%23b.png", .file),
  ]

  @Test("A source's key is what the app's URL holds", arguments: sources)
  func source(line: String, key: String, scheme: SourceScheme) throws {
    let job = entries(line)
    #expect(job.errors.isEmpty)
    let entry = try #require(job.entries.first)
    #expect(entry.url == key)
    #expect(entry.scheme == scheme)
    #expect(entry.file == "test.job")
    #expect(entry.line == 4)
  }

  @Test func plainPathsGetTheURLThatFoundationGives() {
    for path in ["/a.png", "/srv/x-y_z~/0.1.PNG", "/srv/ä.png", "/s/a;b.png", "/s/a%20b.png"] {
      let url = URL(fileURLWithPath: path, isDirectory: false).absoluteString
      #expect(entries(path).entries.map(\.url) == [url])
    }
  }

  @Test(arguments: [
    "//cdn.example/a.png", "//srv/a.png card", "\"//cdn.example/a b.png\" card", "//u:s3cr3t@e.com/a",
  ])
  func twoSlashesAreNoPath(line: String) throws {
    let job = entries(line)
    #expect(job.entries.isEmpty)
    let error = try #require(job.errors.first)
    #expect(error.message.contains("names no scheme") && error.column == 1)
    #expect(error.help?.hasPrefix("for a host write https://") == true)
    #expect(!"\(error)".contains("s3cr3t"))
  }

  @Test func relativePathsBeginAtTheJobFile() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("jobs")
    let file = folder.file("jobs/a.job")
    try "client nuke 12\ncache ../out/\n./art/1.png\n../2.png\n".write(
      to: file, atomically: true, encoding: .utf8)
    let job = JobFileReading(.file(file.path))
    #expect(job.errors.isEmpty)
    #expect(job.settings?.cache == folder.path + "/out")
    #expect(job.settings?.path == file.path)
    #expect(
      job.entries.map(\.url) == ["file://\(folder.path)/jobs/art/1.png", "file://\(folder.path)/2.png"])
  }

  @Test func optionsAndChainsComeInAnyOrder() throws {
    let digest = String(repeating: "aB", count: 32)
    let job = entries(
      """
      https://e.com/1.jpg reload id=product#2 card priority=veryHigh circle sha256=\(digest) noDiskRead noDiskWrite
      https://e.com/2.jpg offline id="a b" encode=jpeg( quality: 1 ) # comment
      https://e.com/3.jpg encode=png id="" priority=veryLow
      """)
    #expect(job.errors.isEmpty)
    var first = RequestOptions()
    first.imageID = "product#2"
    first.priority = .veryHigh
    first.sha256 = digest.lowercased()
    first.reload = true
    first.noDiskRead = true
    first.noDiskWrite = true
    var second = RequestOptions()
    second.offline = true
    second.imageID = "a b"
    second.encoding = .jpeg(quality: 1)
    var third = RequestOptions()
    third.encoding = .png
    third.imageID = ""
    third.priority = .veryLow
    #expect(job.entries.map(\.options) == [first, second, third])
    #expect(job.entries[0].chains.map { job.chains[$0].label } == ["card", "circle"])
  }

  @Test func entriesWithoutChainsTakeTheDefaultOrElseTheOriginal() {
    #expect(entries("https://e.com/1.jpg").chains.rows.map(\.label) == ["card", "original"])
    let job = entries("default card resize(width: 4)\nhttps://e.com/1.jpg id=1\nhttps://e.com/2.jpg circle")
    #expect(
      job.entries.map { $0.chains.map { job.chains[$0].label } } == [
        ["card", "resize(width: 4)"], ["circle"],
      ])
    #expect(job.diagnostics.isEmpty)
  }

  @Test func aChangedURLIsALintThatShowsTheKey() throws {
    let job = entries(
      "https://e.com/a b.png card\n\"https://e.com/a b.png\" card\nhttps://e.com/%zz.png card")
    let warnings = job.warnings
    #expect(warnings.map(\.line) == [5, 6])
    #expect(warnings.map(\.help).first == "the key begins with 'https://e.com/a%20b.png'")
    // The first line's URL ends at its space.
    #expect(job.errors.map(\.column) == [16])
  }

  @Test func unusedChainsAreALint() {
    let job = entries("chain a = circle\nchain b = a\nchain d = circle\ndefault d\nhttps://e.com/1.jpg card")
    #expect(job.warnings.map(\.message) == ["the chain 'a' is never used", "the chain 'b' is never used"])
    #expect(job.warnings.map(\.line) == [4, 5])
  }

  /// What takes the short way is a URL for an app as it stands; what it leaves to the full check may be one, too.
  @Test(arguments: [
    ("80", true), ("8080", true), ("59999", true), ("60000", false), ("65536", false), ("123456", false),
    ("0", false), ("080", false), ("", false), ("8a", false),
  ])
  func aPortTakesTheShortWayIfItNeedsNoCounting(port: String, isShort: Bool) {
    for rest in ["", "/a.jpg?b=c"] {
      let text = "https://img.example.com:\(port)\(rest)"
      #expect(SourceURL.isPlain(ArraySlice(text.utf8)) == isShort, "\(text)")
      guard isShort else { continue }
      #expect(URL(string: text)?.absoluteString == text && URL(string: text)?.port == Int(port))
    }
  }
}
