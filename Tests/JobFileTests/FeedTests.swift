import Foundation
import JobSupport
import TestSupport
import Testing

@testable import JobFile

/// Catalogues that a job includes.
@Suite(.timeLimit(.minutes(10)))
struct FeedTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func job(_ lines: String, _ given: GivenSettings = GivenSettings(), trust: JobTrust = JobTrust())
    throws -> JobFileReading
  {
    try folder.write(JobFileReading.head + lines, to: "a.job")
    return JobFileReading(.file(folder.path + "/a.job"), overrides: given, trust: trust)
  }

  /// A copy that a run has kept, and the cache that it is of.
  private func keep(_ text: String, of url: String) throws -> GivenSettings {
    let cache = folder.path + "/out"
    try folder.makeFolder("out.preheat/feeds")
    try Data(text.utf8).write(to: URL(fileURLWithPath: FeedCopy.path(of: url, cache: cache)))
    return GivenSettings(["cache": [cache]])
  }

  private func messages(_ job: JobFileReading) -> [String] {
    job.diagnostics.map {
      "\($0.file.replacing(folder.path + "/", with: "")):\($0.line):\($0.column): \($0.message)"
    }
  }

  @Test func fieldsBecomeTheSourceAndItsOptions() throws {
    try folder.write(
      "sku,image,rank,status\nA1,https://e.com/1.jpg,1,active\nA2,https://e.com/2.jpg,250,sold\n"
        + "A3,\"https://e.com/3,x.jpg\",0.5,active\n", to: "feed.csv")
    let job = try job(
      "include feed.csv url=image id=sku priority=rank where=status=active card circle reload")
    #expect(job.diagnostics.isEmpty, "\(job.diagnostics.rendered())")
    #expect(job.entries.map(\.url) == ["https://e.com/1.jpg", "https://e.com/3,x.jpg"])
    #expect(job.entries.map(\.line) == [2, 4])
    #expect(job.entries.map(\.file) == [folder.path + "/feed.csv", folder.path + "/feed.csv"])
    #expect(job.entries.map(\.options.imageID) == ["A1", "A3"])
    #expect(job.entries.map(\.options.priority) == [.veryHigh, .normal])
    #expect(job.entries.allSatisfy { $0.options.reload && $0.chains == [0, 1] })
  }

  @Test func rowsExpire() throws {
    try folder.write(
      "u,t\nhttps://e.com/1.jpg,7d\nhttps://e.com/2.jpg,\nhttps://e.com/3.jpg,soon\n", to: "feed.csv")
    try folder.write("client kingfisher 8\ncache out\ninclude feed.csv url=u expires=t", to: "a.job")
    let job = JobFileReading(.file(folder.path + "/a.job"))
    #expect(job.entries.map(\.options.expiry) == [.after(seconds: 604_800), nil])
    #expect(messages(job) == ["feed.csv:4:21: 't': 'soon' is neither a period nor a date"])
  }

  @Test func aURLCanBeATemplate() throws {
    try folder.write(
      #"{"items": [{"sku": "A1", "views": ["f", "b"]}, {"sku": "A2", "views": []}]}"#, to: "feed.json")
    let job = try job(
      "include feed.json rows=/items url=\"https://cdn.example/{sku}/{/views/*}.jpg\" id={sku}-x priority=high card"
    )
    #expect(job.entries.map(\.url) == ["https://cdn.example/A1/f.jpg", "https://cdn.example/A1/b.jpg"])
    #expect(job.entries.map(\.options.imageID) == ["A1-x", "A1-x"])
    #expect(job.entries.map(\.options.priority) == [.high, .high])
    #expect(messages(job) == ["feed.json:2:1: this row has no 'sku' or '/views/*': left out"])
  }

  @Test func xmlIsNotReadAndTheAdviceIsThere() throws {
    try folder.write("<urlset><url><loc>https://e.com/</loc></url></urlset>\n", to: "map.xml")
    for line in [
      "include map.xml card", "include map.xml url=loc card", "include https://e.com/map.xml card",
    ] {
      let errors = try job(line).errors
      #expect(errors.count == 1 && errors[0].help?.contains("docs/catalogues.md") == true, "\(errors)")
    }
    #expect(try job("include map.xml format=xml url=loc").errors[0].message == "no format is called 'xml'")
  }

  @Test func aLineOfNDJSONHasItsNumber() throws {
    try folder.write("\n{\"url\": \"https://e.com/1.jpg\"}\n\n{\"url\": 5}\n", to: "feed.ndjson")
    #expect(try job("include feed.ndjson url=url card").errors.map(\.line) == [4])
  }

  /// A field of several lines moves the lines of the file, not its rows.
  @Test func mistakesOfRowsHaveTheirPlace() throws {
    try folder.write(
      "id,url,rank\n1,ftp://e.com/1,1\n\"a\n\nb\",https://e.com/2.jpg,first\n3,https://e.com/3.jpg\n4,htp,1\n"
        + "5,https://e.com/5.jpg,5\n", to: "feed.csv")
    let wrong = try job("include feed.csv url=url priority=rank card")
    #expect(
      messages(wrong) == [
        "feed.csv:2:3: 'url': sources cannot have the scheme 'ftp'",
        "feed.csv:5:24: 'rank': 'first' is not a priority",
        "feed.csv:6:1: this row has 2 fields, the header has 3; 'rank' is missing",
        "feed.csv:7:3: 'url': 'htp' is neither a URL nor a path",
      ])
    let skipping = try job("skip-invalid on\ninclude feed.csv url=url priority=rank card")
    #expect(!skipping.diagnostics.hasErrors, "\(skipping.diagnostics.rendered())")
    #expect(skipping.entries.map(\.url) == ["https://e.com/5.jpg"] && skipping.entries.map(\.line) == [8])
    #expect(skipping.skipped.count == 4)
    #expect(skipping.skipped.lines.map(\.diagnostic.line) == [2, 5, 6, 7])
  }

  @Test(arguments: [
    ("include feed.csv card", "which field of 'feed.csv' is the URL?"),
    (
      "include feed.csv url=picture",
      "no column is called 'picture'"
    ),
    ("include feed.csv url=image url=id", "'url' is given twice"),
    ("include feed.csv url={image", "'{' is not closed"),
    ("include feed.csv url=image where=status", "'where=' needs a field and its value"),
    ("include feed.csv url=image rows=/a", "'rows=' is for JSON and NDJSON"),
    ("include feed.txt url=image", "the end of 'feed.txt' does not tell how it is written"),
    ("include feed.txt url=image format=yaml", "no format is called 'yaml'"),
    ("include none.csv url=image", "cannot be read: there is no such file"),
    (
      "include https://e.com/feed.csv?key=s3cr3t url=image",
      "there is no copy of 'https://e.com/feed.csv?key=******' yet"
    ),
    ("include feed.csv url=nothing", "' has 'nothing'"),
    ("include feed.csv url=image base=/media", "'/media' is not an http or https URL"),
    ("include feed.csv url=image split=\"\"", "'split=' is empty"),
    ("include feed.csv url=image sha256=x", "'sha256=' is for one source, and a list has many"),
  ])
  func aWrongLineIsTold(line: String, message: String) throws {
    try folder.write("image,id,nothing\nhttps://e.com/1.jpg,1,\n", to: "feed.csv")
    try folder.write("image,id\nhttps://e.com/1.jpg,1\n", to: "feed.txt")
    let job = try job(line)
    let told = job.errors.map(\.message)
    #expect(told.count == 1 && told[0].contains(message), "\(told)")
  }

  @Test func aCatalogueElsewhereIsNotShown() throws {
    let other = try TemporaryFolder()
    try other.write("root:x:0:0,b\nsecret,https://e.com/1.jpg\nsecret,no url\n", to: "passwd")
    let job = try job("include \(other.path)/passwd format=csv url=b card")
    #expect(job.diagnostics.map(\.message) == ["this row is not a source"])
    let header = try self.job("include \(other.path)/passwd format=csv url=c card")
    #expect(header.diagnostics.map(\.message) == ["this row is not a source"])
    #expect(!header.diagnostics.rendered().contains("root:"))
    var trust = JobTrust()
    trust.roots = try .init([folder.path])
    let refused = try self.job(
      "include \(other.path)/passwd format=csv url=b card", trust: trust)
    #expect(refused.diagnostics.map(\.message).allSatisfy { $0.contains("outside of the trusted folders") })
    #expect(refused.diagnostics.hasErrors)
  }

  @Test func localSourcesAreRelativeToTheCatalogueAndHaveToBeTrusted() throws {
    try folder.write("url\n./a.png\n/etc/hostname\n", to: "feed.csv")
    #expect(
      try job("include feed.csv url=url card").entries.map(\.url) == [
        "file://\(folder.path)/a.png", "file:///etc/hostname",
      ])
    var trust = JobTrust()
    trust.roots = try .init([folder.path])
    let job = try job("include feed.csv url=url card", trust: trust)
    #expect(job.diagnostics.map(\.message) == ["'url': this file is outside of the trusted folders"])
  }

  @Test func aCopyOfACatalogueNamesNoFiles() throws {
    let url = "https://e.com/feed.csv"
    let given = try keep(
      "url\nhttps://e.com/1.jpg\nfile:///etc/hostname\n/media/2.jpg\n//cdn.e.com/3.jpg\n./4.jpg\n"
        + "\"data:image/png;base64,AAAA\"\n", of: url)
    let job = try job("include \(url) url=url card", given)
    // Paths are those of its server.
    #expect(
      job.entries.map(\.url) == [
        "https://e.com/1.jpg", "https://e.com/media/2.jpg", "https://cdn.e.com/3.jpg", "https://e.com/4.jpg",
        "data:image/png;base64,AAAA",
      ])
    #expect(job.entries.allSatisfy { $0.file == url })
    #expect(
      job.diagnostics.map(\.message) == ["'url': a catalogue from a server names no files of this machine"])
  }

  @Test(arguments: [
    ("/b.jpg", "https://e.com/b.jpg"), ("//cdn.e.com/b.jpg", "https://cdn.e.com/b.jpg"),
    ("b.jpg", "https://e.com/a/c/b.jpg"), ("./b.jpg", "https://e.com/a/c/b.jpg"),
    ("../b.jpg", "https://e.com/a/b.jpg"), ("../../../b.jpg", "https://e.com/b.jpg"),
    ("./x/../b.jpg", "https://e.com/a/c/b.jpg"), ("/a b.jpg", "https://e.com/a%20b.jpg"),
    ("http://f.com/b.jpg", "http://f.com/b.jpg"), ("data:,x", "data:,x"),
    ("/x/./y/../b.jpg?a=/../c", "https://e.com/x/b.jpg?a=/../c"), ("./x/../b.jpg", "https://e.com/a/c/b.jpg"),
    ("//cdn.e.com/x/../b.jpg", "https://cdn.e.com/b.jpg"), ("../..", "https://e.com/"),
    ("./", "https://e.com/a/c/"),
  ])
  func aBaseTakesPathsAsBrowsersDo(path: String, url: String) throws {
    let base = try #require(FeedBase("https://e.com/a/c/feed.csv?x=/y#z"))
    #expect(base.resolved(Array(path.utf8)[...], isNamed: true).elementsEqual(url.utf8))
    let own = base.resolved(Array(path.utf8)[...], isNamed: false)
    #expect(own.elementsEqual(path == "b.jpg" ? path.utf8 : url.utf8))
    for (path, url) in [("x/../b.jpg", "c/b.jpg"), ("?v=2", "c/feed.csv?v=2"), ("b?v=/../2", "c/b?v=/../2")] {
      #expect(
        base.resolved(Array(path.utf8)[...], isNamed: true).elementsEqual("https://e.com/a/\(url)".utf8))
    }
  }

  @Test(arguments: [
    "https://e.com/1.jpg, https://e.com/2.jpg", "https://e.com/1.jpg,https://e.com/2.jpg",
    "https://e.com/1.jpg|https://e.com/2.jpg", "https://e.com/1.jpg; http://e.com/2.jpg",
    "https://e.com/1.jpg https://e.com/2.jpg",
    "https://e.com/1.jpg\nhttps://e.com/2.jpg", "https://e.com/1.jpg\r\n https://e.com/2.jpg\r\n",
  ])
  func severalURLsInAFieldAreAnErrorOrSplit(cell: String) throws {
    try folder.write("url\n\"\(cell)\"\n", to: "feed.csv")
    let wrong = try job("include feed.csv url=url card")
    #expect(wrong.errors.map(\.message) == ["'url': several URLs stand in this field"])
    let mark = cell.first { ",|;\n\r\n".contains($0) } ?? " "
    let right = try job("include feed.csv url=url split=\"\(mark.isNewline ? "lines" : String(mark))\" card")
    #expect(right.diagnostics.isEmpty, "\(right.diagnostics.rendered())")
    #expect(right.entries.map { $0.url.suffix(6) } == ["/1.jpg", "/2.jpg"])
  }

  @Test(arguments: [
    "https://e.com/w_300,h_200/1.jpg", "https://e.com/?u=https://f.com/1.jpg",
    "https://e.com/a,b/https://f.com/1.jpg",
    "https://e.com/1.jpg?a=1;b=2|3",
  ])
  func aURLWithMarksInItIsOne(url: String) throws {
    try folder.write("url\n\"\(url)\"\n", to: "feed.csv")
    #expect(try job("include feed.csv url=url card").errors.isEmpty)
  }

  /// One long value would stand in each of many texts.
  @Test func whatIsMadeOfARowHasASum() throws {
    let (many, long) = (String(repeating: "a|", count: 900), String(repeating: "y", count: 5000))
    try folder.write("sku,views\n\(long),\(many)\nA,\(many)\nB,\(many)\(many)\n", to: "feed.csv")
    for (line, count) in [
      ("url=\"https://e.com/{sku}/{views}.jpg\"", 900), ("url=views id=sku base=https://e.com", 900),
    ] {
      let job = try job("include feed.csv \(line) split=| card")
      #expect(
        job.entries.count == count && messages(job).map { $0.prefix(11) } == ["feed.csv:2:", "feed.csv:4:"])
      #expect(messages(job).allSatisfy { $0.contains("over 1000 values") })
    }
  }

  @Test func splittingGoesBeforeATemplate() throws {
    try folder.write("sku;views\nA; f | b |\n", to: "feed.csv")
    let job = try job("include feed.csv url=\"https://e.com/{sku}/{views}.jpg\" split=| card")
    #expect(job.entries.map(\.url) == ["https://e.com/A/f.jpg", "https://e.com/A/b.jpg"])
  }

  @Test func readingStopsForACatalogueThatHasToBeFetched() throws {
    let lines = "https://e.com/0.jpg card\ninclude https://e.com/feed.csv url=url card\n"
    try folder.write(
      JobFileReading.head + lines + "include https://e.com/feed.csv url=url id=url circle\n", to: "a.job")
    let given = GivenSettings(["cache": [folder.path + "/out"]])
    let job = JobReader(.file(folder.path + "/a.job"), given, fetches: true)
    var found: [String] = []
    #expect(job.read { line, _ in found.append(line.url) } == .catalogue("https://e.com/feed.csv"))
    #expect(found == ["https://e.com/0.jpg"])
    _ = try keep("url\nhttps://e.com/1.jpg\n", of: "https://e.com/feed.csv")
    #expect(job.read { line, _ in found.append(line.url) } == .end)
    #expect(found == ["https://e.com/0.jpg", "https://e.com/1.jpg", "https://e.com/1.jpg"])
    #expect(job.diagnostics.isEmpty, "\(job.diagnostics.rendered())")
  }

  @Test func nothingIsFetchedForAJobThatHasAnError() throws {
    try folder.write(
      JobFileReading.head + "https://e.com/0.jpg crad\ninclude https://e.com/feed.csv url=url card\n",
      to: "a.job")
    let job = JobReader(.file(folder.path + "/a.job"), fetches: true)
    #expect(job.read { _, _ in } == .end)
    #expect(job.diagnostics.errorCount == 1)
  }
}
