import Foundation
import TestSupport
import Testing

@testable import Planning
@testable import Reporting

/// What a page says about the run before.
@Suite(.timeLimit(.minutes(10)))
struct RunComparisonTests {
  private let folder: TemporaryFolder
  private let report: URL

  init() throws {
    folder = try TemporaryFolder()
    report = folder.file("report")
    try FileManager.default.createDirectory(at: folder.file("cache"), withIntermediateDirectories: true)
  }

  private func put(_ picture: String, as name: String) throws {
    let data = try Data(contentsOf: Fixtures.folder.appendingPathComponent("images/\(picture)"))
    try data.write(to: folder.file("cache/\(name)"), options: .atomic)
  }

  private func rendition(_ name: String, _ status: RenditionRecord.Status = .made) -> RenditionRecord {
    RenditionRecord(
      job: "catalog.job", file: "catalog.job", line: 7, source: "https://e.com/\(name).jpg", chain: "card",
      status: status, key: name, fileName: name, cache: folder.file("cache").path)
  }

  private func record(_ renditions: RenditionRecord...) -> RunRecord {
    var record = RunRecord(summary: Samples.summary(planned: renditions.count))
    record.renditions = renditions
    record.addSizes()
    return record
  }

  private func page(_ record: RunRecord, after previous: RunRecord) throws -> String {
    var comparison = RunComparison(previous.summary)
    comparison.add(previous, cache: folder.file("cache").path)
    return try String(
      contentsOf: ReportPage.write(record, comparedWith: comparison, to: report), encoding: .utf8)
  }

  @Test func newChangedAndGoneAreCounted() throws {
    for name in ["a", "b", "c"] { try put("grey.jpg", as: name) }
    let before = record(rendition("a"), rendition("b"), rendition("c"))
    try put("cmyk.jpg", as: "b")
    try put("grey.jpg", as: "d")
    let page = try page(
      record(rendition("a"), rendition("b"), rendition("d"), rendition("e", .failed)), after: before)
    #expect(page.contains(": 1 new, 1 changed, 1 gone."))
    #expect(page.contains("1 more was made again, and nothing shows that it is different."))
    #expect(page.contains("https://e.com/c.jpg") && page.contains("Their files may still lie in the cache"))
    // No report showed the old bytes: only their number is known.
    #expect(
      page.contains("the old file is gone") && page.contains("before: 3.7 KiB, as the last record says"))
  }

  /// Two keys that are canonically equal are two entries.
  @Test func keysAreComparedByTheirBytes() throws {
    let names = ["\u{E9}", "e\u{301}"]
    for name in names { try put("grey.jpg", as: name) }
    let page = try page(record(rendition(names[0])), after: record(rendition(names[0]), rendition(names[1])))
    #expect(page.contains("1 gone."))
  }

  @Test func whatTheLastReportShowedStandsBesideWhatIsThereNow() throws {
    var renditions: [RenditionRecord] = []
    for index in 0..<130 {
      try put("grey.jpg", as: "n\(index)")
      renditions.append(rendition("n\(index)"))
    }
    var before = record()
    before.renditions = renditions
    before.addSizes()
    try ReportPage.write(before, to: report)
    // A run renames a new file into place, so the report keeps the old bytes.
    try put("cmyk.jpg", as: "n5")
    var now = before
    now.addSizes()
    let page = try page(now, after: before)
    #expect(page.contains(": 0 new, 1 changed, 0 gone."))
    let digest = now.renditions[5].digest
    for (name, picture) in [("\(digest)-before.jpeg", "grey.jpg"), ("\(digest).jpeg", "cmyk.jpg")] {
      #expect(page.contains("src=\"preheat-pictures/\(name)\""))
      let shown = try Data(contentsOf: report.appendingPathComponent("preheat-pictures/\(name)"))
      #expect(try shown == Data(contentsOf: Fixtures.folder.appendingPathComponent("images/\(picture)")))
    }
    #expect(page.contains("as the last report here showed it") && !page.contains("the old file is gone"))
  }

  @Test func aRunThatDidNotComeToItsEndSaysNothingIsGone() throws {
    try put("grey.jpg", as: "a")
    let before = record(rendition("a"), rendition("b"))
    var now = record(rendition("a"))
    now.summary.isInterrupted = true
    #expect(!(try page(now, after: before).contains("id=\"changes\"")))
    // A cache of which nothing is known before is compared with nothing.
    let other = RunComparison(before.summary)
    let text = try String(
      contentsOf: ReportPage.write(record(rendition("a")), comparedWith: other, to: report), encoding: .utf8)
    #expect(text.contains(": 0 new, 0 changed, 0 gone."))
  }
}
