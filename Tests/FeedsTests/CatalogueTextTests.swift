import Foundation
import TestSupport
import Testing

@testable import Feeds

@Suite(.timeLimit(.minutes(10)))
struct CatalogueTextTests {
  @Test func packedTextIsUnpacked() throws {
    let folder = try TemporaryFolder()
    let rows = (0..<50_000).map { "\($0),https://e.com/\($0).jpg\n" }.joined()
    try folder.write("n,url\n\(rows)", to: "a.csv")
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
    for path in ["site.xml", "urls.txt", "a.csv/list"] { #expect(FeedFormat(path: path) == nil) }
  }
}
