import Foundation
import TestSupport
import Testing

@testable import Feeds

@Suite(.timeLimit(.minutes(10)))
struct SitemapTests {
  private static let head = """
    <?xml version="1.0" encoding="UTF-8"?>
    <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
      xmlns:pic="http://www.google.com/schemas/sitemap-image/1.1" xmlns:video="urn:other">
    """

  private static let text =
    head + """
      <url><loc>https://e.com/a</loc>
        <pic:image><pic:loc> https://e.com/1.jpg?a=1&amp;b=2
        </pic:loc><pic:title>One</pic:title></pic:image>
        <pic:image><pic:loc><![CDATA[https://e.com/2.jpg]]></pic:loc></pic:image>
        <video:loc>no</video:loc>
        <priority>0.8</priority></url>
      <url><loc>https://e.com/b</loc></url></urlset>
      """

  @Test func anImageIsARow() {
    for pieces in [1 << 18, 5] {
      let read = FeedReading(
        Self.text, .xml, ["image:loc", "image:title", "priority", "loc"], pieces: pieces)
      #expect(read.failure == nil)
      #expect(
        read.rows == [
          "1 loc=https://e.com/a priority=0.8 image:loc=https://e.com/1.jpg?a=1&b=2 image:title=One",
          "2 loc=https://e.com/a priority=0.8 image:loc=https://e.com/2.jpg", "3 loc=https://e.com/b",
        ])
    }
  }

  @Test func otherDocumentsAreRefused() {
    func failure(_ text: String, _ field: String = "image:loc") -> String? {
      FeedReading(text, .xml, [field]).failure
    }
    let bomb =
      "<!DOCTYPE urlset [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><urlset><url><loc>&b;</loc></url></urlset>"
    #expect(failure(bomb) == "it has a document type")
    #expect(failure("<!DOCTYPE urlset SYSTEM \"file:///etc/passwd\"><urlset/>") == "it has a document type")
    #expect(failure("<sitemapindex/>") == "it is a list of sitemaps")
    #expect(failure("<html><body/></html>") == "it is not a sitemap")
    #expect(failure("<urlset><url></urlset>")?.hasPrefix("mismatched tag, at line 1") == true)
    #expect(failure("") != nil)
    #expect(failure(Self.text, "image") == "a sitemap has no 'image'")
    #expect(
      failure("<urlset>" + String(repeating: "<a>", count: 200))?.contains("within one another") == true)
  }

  @Test func packedTextIsUnpacked() throws {
    let folder = try TemporaryFolder()
    let rows = (0..<50_000).map { "\($0),https://e.com/\($0).jpg\n" }.joined()
    try Data("n,url\n\(rows)".utf8).write(to: folder.file("a.csv"))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", "cd \(folder.path) && gzip -k a.csv && cat a.csv.gz a.csv.gz > twice.gz"]
    try process.run()
    process.waitUntilExit()
    let packed = [UInt8](try Data(contentsOf: folder.file("a.csv.gz")))
    let read = FeedReading(packed, .csv, ["url"])
    #expect(read.rows.count == 50_000 && read.rows.last == "50001 url=https://e.com/49999.jpg")
    #expect(FeedReading(packed, .csv, ["url"], pieces: 777).rows == read.rows)
    #expect(FeedReading(Array(packed.dropLast(9)), .csv, ["url"]).failure == "its gzip ends too early")
    var damaged = packed
    damaged[packed.count / 2] ^= 0xFF
    #expect(FeedReading(damaged, .csv, ["url"]).failure != nil)
    let twice = [UInt8](try Data(contentsOf: folder.file("twice.gz")))
    // The second header is a row like any other.
    #expect(FeedReading(twice, .csv, ["url"]).rows.count == 100_001)
  }

  @Test func formatsAreToldByTheEndOfAPath() {
    #expect(FeedFormat(path: "a/b.CSV") == .csv && FeedFormat(path: "b.tsv.gz") == .tsv)
    #expect(FeedFormat(path: "https://e.com/feed.jsonl?key=a.csv") == .ndjson)
    #expect(FeedFormat(path: "urls.txt") == nil && FeedFormat(path: "a.csv/list") == nil)
    #expect(FeedFormat(lookOf: Array("https://e.com/1.jpg,card".utf8)[...]) == .csv)
    #expect(
      FeedFormat(lookOf: Array("a\tb".utf8)[...]) == .tsv
        && FeedFormat(lookOf: Array(" {}".utf8)[...]) == .ndjson)
    #expect(FeedFormat(lookOf: Array("https://e.com/1.jpg".utf8)[...]) == nil)
  }
}
