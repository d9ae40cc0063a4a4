import Foundation
import TestSupport
import Testing

@testable import Planning
@testable import Reporting

/// What reports say of budgets and of bytes that were saved.
@Suite(.timeLimit(.minutes(10))) struct BudgetReportTests {
  private func record(bytes: Int) -> RunRecord {
    var record = Samples.ordinary(2)
    var size = CacheSize(
      path: "/c", client: "nuke 12.9.0", files: 4, bytes: bytes, allocatedBytes: 16384, sizeLimit: 100_000,
      countedBytes: 16384, sweepTarget: 100_000, isBeyondLimit: false)
    size.maxSize = 2048
    record.caches = [size]
    return record
  }

  private func html(_ record: RunRecord) throws -> String {
    let folder = try TemporaryFolder()
    return try String(contentsOf: ReportPage.write(record, to: folder.url), encoding: .utf8)
  }

  @Test(arguments: [(1024, "good", "50 %"), (4096, "bad", "200 %")])
  func pageAndSummaryTellTheBudget(bytes: Int, kind: String, percent: String) throws {
    let record = record(bytes: bytes)
    #expect(
      record.jobSummary.contains("| content | max-size |\n| --- | ---: | ---: | ---: | ---: | ---: |\n"))
    #expect(record.jobSummary.contains(bytes > 2048 ? " | **2 KiB** |\n" : " | 2 KiB |\n"))
    let page = try html(record)
    #expect(page.contains("<strong class=\"\(kind)\">\(percent)</strong> of the budget of a bundle: "))
  }

  @Test func aSourceIsSavedOnceAndOnlyAsFarAsItWasFetched() throws {
    var record = Samples.ordinary(3)
    let whole = try #require(record.renditions[0].sourceBytes)
    for index in record.renditions.indices {
      record.renditions[index].source = "https://e.com/1.jpg"
      record.renditions[index].sourceBytes = whole
      record.renditions[index].bytes = 10
      record.renditions[index].status = .made
    }
    record.summary.counts.bytesFetched = 1 << 30
    #expect(record.savedBytes == whole - 10 * record.renditions.count)
    record.summary.counts.bytesFetched = 7
    #expect(record.savedBytes == 7)
  }
}
