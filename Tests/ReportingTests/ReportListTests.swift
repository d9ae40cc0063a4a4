import FileStore
import Foundation
import TestSupport
import Testing

@testable import Reporting

/// A report that is too large for one page: data and pictures beside it.
@Suite(.timeLimit(.minutes(10)))
struct ReportListTests {
  /// A cache of small pictures, each its own file, and the record of the run that made them.
  private func record(_ count: Int, in folder: TemporaryFolder, failed: Int = 0) throws -> RunRecord {
    let cache = folder.file("cache")
    try FileManager.default.createDirectory(at: cache, withIntermediateDirectories: true)
    let picture = try Fixtures.image("grey.jpg")
    var record = Samples.ordinary(count, failed: failed)
    for index in 0..<count {
      let name = "file\(index)"
      try (picture + Data("\(index)".utf8)).write(to: cache.appendingPathComponent(name))
      record.renditions[index].cache = cache.path
      record.renditions[index].fileName = name
    }
    record.caches = [Samples.cache(cache.path, files: count)]
    return record
  }

  private func names(_ folder: URL) throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
  }

  /// The rows of a file of data, as the browser's own parser takes them.
  private func rows(_ text: String) throws -> [[Any]] {
    let json = text.drop { $0 != "[" }.dropLast(",\n]);\n".count) + "]"
    return try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[Any]])
  }

  @Test func threeThousandRenditionsLieBesideAPageOfBoundedSize() throws {
    let folder = try TemporaryFolder()
    let record = try record(2900, in: folder, failed: 100)
    let report = folder.file("report")
    let page = try String(contentsOf: ReportPage.write(record, to: report), encoding: .utf8)
    var identifiers = try Samples.identifiers(onPage: page)
    #expect(identifiers.count == RenditionList.perPage && page.utf8.count < 1_000_000)
    #expect(try names(report) == ["index.html", "preheat-data.js", "preheat-pictures"])

    let text = try String(contentsOf: report.appendingPathComponent(ReportPage.data), encoding: .utf8)
    #expect(text.hasPrefix("preheatRows([[") && text.hasSuffix("],\n]);\n"))
    let rows = try rows(text)
    #expect(rows.count == 2880)
    #expect(rows.allSatisfy { $0.count == RenditionCard.fields.count + RenditionCard.labels.count })
    identifiers += rows.compactMap { $0[0] as? String }
    #expect(Set(identifiers).count == 3000)
    #expect(try names(report.appendingPathComponent(ReportPage.pictures)).count == 2900)
  }

  @Test func picturesAreSecondNamesOfTheCachesFilesAndNothingWaitsForTheDevice() throws {
    let folder = try TemporaryFolder()
    let record = try record(300, in: folder)
    let faults = FileFaults()
    try ReportPage.write(record, to: folder.file("report"), calls: faults.calls)
    let log = faults.log
    #expect(log.filter { $0 == .link }.count == 300)
    #expect(!log.contains(.synchronize))
    // A file of data and the page itself.
    #expect(log.filter { $0 == .write }.count <= 3)
    let pictures = folder.file("report/\(ReportPage.pictures)")
    let name = try #require(try names(pictures).first)
    let attributes = try FileManager.default.attributesOfItem(
      atPath: pictures.appendingPathComponent(name).path)
    #expect((attributes[.referenceCount] as? NSNumber)?.intValue == 2)
  }

  @Test func whereAFileCanHaveNoSecondNameItIsCopied() throws {
    let folder = try TemporaryFolder()
    let record = try record(130, in: folder)
    let calls = FileCalls { call, _ in call == .link ? .fail(EXDEV) : .perform }
    try ReportPage.write(record, to: folder.file("report"), calls: calls)
    let pictures = folder.file("report/\(ReportPage.pictures)")
    #expect(try names(pictures).count == 130)
    for name in try names(pictures) {
      let data = try Data(contentsOf: pictures.appendingPathComponent(name))
      #expect(data.starts(with: [0xFF, 0xD8]))
    }
  }

  @Test func aReportThatFailsHalfWayLeavesTheLastOneAndTheNextIsWhole() throws {
    let folder = try TemporaryFolder()
    let record = try record(130, in: folder)
    let report = folder.file("report")
    try ReportPage.write(record, to: report)
    let before = try names(report.appendingPathComponent(ReportPage.pictures))
    let calls = FileCalls { call, _ in
      call == .write ? .fail(ENOSPC) : .perform
    }
    #expect(throws: ReportFailure.self) { try ReportPage.write(record, to: report, calls: calls) }
    #expect(try names(report.appendingPathComponent(ReportPage.pictures)) == before)
    try ReportPage.write(record, to: report)
    #expect(try names(report) == ["index.html", "preheat-data.js", "preheat-pictures"])
    // A smaller report leaves nothing of the larger one.
    try ReportPage.write(Samples.ordinary(0, failed: 1), to: report)
    #expect(try names(report) == ["index.html"])
  }

  @Test func aLinkToARenditionHoldsInTheNextReport() throws {
    func identifiers(_ record: RunRecord) throws -> [String] {
      try Samples.identifiers(onPage: Samples.html(record))
    }
    var record = Samples.ordinary(3)
    // What is shown of their URLs is the same.
    for index in record.renditions.indices {
      (record.renditions[index].key, record.renditions[index].fileName) = (
        "https://e.com/a?id=**", "\(index)"
      )
    }
    let first = try identifiers(record)
    #expect(Set(first).count == 3 && first.allSatisfy { !$0.hasSuffix("-2") })
    record.renditions.swapAt(0, 2)
    for index in record.renditions.indices { record.renditions[index].status = .current }
    #expect(try identifiers(record) == first.reversed())
    // One file may be named twice.
    record.renditions.append(record.renditions[0])
    #expect(try identifiers(record).last == first[2] + "-2")
  }

  @Test func theListCanShowWhatIsLargerThanItsSource() throws {
    var record = Samples.ordinary(3)
    for isLarger in [false, true] {
      if isLarger { record.renditions[1].sourceBytes = 10 }
      #expect(try Samples.html(record).contains("<option value=\"larger\">") == isLarger)
    }
  }

  @Test func theTitleCountsFailures() throws {
    var record = Samples.ordinary(2, failed: 1234)
    record.summary.jobs = ["jobs/my catalog.job"]
    let page = try Samples.html(record)
    #expect(page.contains("<title>1,234 failed – my catalog.job – Preheat</title>"))
    #expect(try RunRecord(lines: record.lines(), path: "x").summary == record.summary)
    #expect(page.contains("for other causes"))
    #expect(page.matches(of: /<article class="failure">/).count == ReportPage.mostFailureGroups)
  }
}
