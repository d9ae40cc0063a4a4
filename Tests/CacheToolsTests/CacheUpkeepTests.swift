import CacheTools
import ClientKit
import Foundation
import JobSupport
import NukeCache
import TestSupport
import Testing

@testable import CacheStore
@testable import FileStore
@testable import Planning

@Suite(.timeLimit(.minutes(10)))
struct CacheUpkeepTests {
  private let date = Date(timeIntervalSince1970: 1_789_948_800)
  private let folder = TemporaryFolder.new

  private func plan(_ lines: String, client: String = "nuke 12") throws -> Plan {
    let planned = Preheat.plan("client \(client)\ncache \(folder.path)/cache\n\(lines)\n")
    return try #require(planned.plan, "\(planned.errors)")
  }

  /// Files of a size under all names that the plan stores.
  private func fill(_ plan: Plan, size: Int = 100) throws -> FileStore {
    let files = try FileStore(folder: URL(fileURLWithPath: plan.settings.cache))
    for store in plan.renditions.flatMap(\.stores) { try files.write(Data(count: size), as: store.fileName) }
    return files
  }

  private func finish(_ plan: Plan, in files: FileStore, at date: RunDate? = nil) throws {
    let state = StateFolder(cache: plan.settings.cache)
    _ = try state.prepare()
    let ledger = try LedgerWriter(path: state.ledger)
    try ledger.finish([plan], in: files, date: date ?? RunDate(start: self.date))
  }

  private func finished(_ plan: Plan) throws -> FileStore {
    let files = try fill(plan)
    try finish(plan, in: files)
    return files
  }

  /// As in a bundle: what a source's other renditions are worth does not count, and names decide among equals.
  @Test func entriesRankByTheirOwnPriority() throws {
    let plan = try plan(
      """
      https://e.com/1.jpg circle priority=veryHigh
      https://e.com/1.jpg circle gaussianBlur gaussianBlur(radius: 3) priority=veryLow
      https://e.com/2.jpg circle
      https://e.com/3.jpg circle
      https://e.com/4.jpg circle priority=veryHigh
      """)
    let files = try finished(plan)
    let byAge = try files.entries().sorted { $0.accessDate > $1.accessDate }.map(\.name)
    let byRank = plan.renditions.flatMap(\.stores).sorted {
      ($1.priority.rank, $0.fileName) < ($0.priority.rank, $1.fileName)
    }
    #expect(byAge == byRank.map(\.fileName) && byRank.map(\.priority.rank) == [2, 2, 0, 0, -2, -2])
  }

  @Test func whatIsUrgentIsReadLatestSoThatASweepKeepsIt() throws {
    let plan = try plan(
      """
      https://e.com/1.jpg circle
      https://e.com/2.jpg circle priority=low
      https://e.com/3.jpg circle priority=high
      """)
    let files = try finished(plan)
    let byAge = try files.entries().sorted { $0.accessDate > $1.accessDate }.map(\.name)
    let expected = ["3", "1", "2"].map { "https://e.com/\($0).jpg" }.map { url in
      plan.renditions.first { $0.source == url }?.fileName
    }
    #expect(byAge == expected)
    #expect(try files.entries().map(\.accessDate).max() == date)
  }

  /// Some shares let no program set dates. Those of use may be lost.
  @Test func datesOfUseThatNoProgramMaySetAreLeft() throws {
    let plan = try plan("https://e.com/1.jpg circle")
    let files = try fill(plan)
    for (code, fails) in [(EPERM, false), (EIO, true)] {
      let refusing = FileStore(
        existing: files.folder, calls: FileCalls { call, _ in call == .setDates ? .fail(code) : .perform })
      var failure: (any Error)?
      do { try finish(plan, in: refusing) } catch { failure = error }
      #expect((failure != nil) == fails, "\(code)")
    }
  }

  @Test func aSharedOriginalIsAsUrgentAsTheMostUrgentThatStoresIt() throws {
    let plan = try plan(
      """
      policy storeOriginalData
      https://e.com/1.jpg circle gaussianBlur
      https://e.com/1.jpg original priority=high
      https://e.com/2.jpg circle
      """)
    let files = try finished(plan)
    #expect(try files.entries().map(\.accessDate).sorted() == [date.addingTimeInterval(-1), date])
    let first = try #require(plan.renditions.first { $0.source == "https://e.com/1.jpg" }?.stores.first)
    #expect(try files.entry(named: first.fileName)?.accessDate == date)
  }

  @Test(arguments: [
    ("nuke 10", false), ("nuke 12.1.4", false), ("nuke 12.1.5", true), ("nuke 12", true), ("nuke 13", true),
  ])
  func theSweepsStampIsWrittenForVersionsThatReadIt(client: String, isWritten: Bool) throws {
    let plan = try plan("https://e.com/1.jpg circle", client: client)
    let files = try finished(plan)
    #expect(files.contains(".data-cache-info") == isWritten)
    if isWritten { #expect(try DataCacheInfo(readingFrom: files).lastSweepDate ?? .distantPast > date) }
  }

  @Test func aCacheThatIsLeftAloneByItsFirstSweepStaysWhole() throws {
    let plan = try plan("https://e.com/1.jpg circle\nhttps://e.com/2.jpg circle")
    let files = try fill(plan)
    try finish(plan, in: files, at: RunDate(environment: [:]))
    // What Nuke 12.1.5 and later asks before its automatic sweep.
    let last = try #require(try DataCacheInfo(readingFrom: files).lastSweepDate)
    #expect(Date().timeIntervalSince(last) < 3600)
    #expect(try files.entries().count == 2)
  }

  @Test func sizesCountInBlocksOfTheDevice() throws {
    let plan = try plan("size-limit 8191\nhttps://e.com/1.jpg circle\nhttps://e.com/2.jpg circle")
    let files = try fill(plan, size: 1)
    let size = plan.size(of: try files.entries().map(\.size))
    #expect(size.files == 2 && size.bytes == 2 && size.allocatedBytes == 8192)
    #expect(size.isBeyondLimit)
    #expect(knownSizes(plan).size(of: plan) == size)
  }

  @Test func thePlanSaysHowManySizesNobodyKnows() throws {
    let plan = try plan("https://e.com/1.jpg circle original")
    #expect(knownSizes(plan).unknown == 2)
  }

  /// Renditions of one source that store the same file count it once.
  @Test func aFileThatRenditionsShareIsCountedOnce() throws {
    let plan = try plan("policy storeAll\nhttps://e.com/1.jpg circle original")
    #expect(plan.renditions.flatMap(\.stores).count == 3)
    #expect(knownSizes(plan).unknown == 2)
  }

  private func knownSizes(_ plan: Plan) -> KnownSizes {
    var sizes = KnownSizes(folder: plan.settings.cache)
    for source in 0..<plan.sourceCount {
      sizes.beginSource()
      for row in plan.rows(ofSource: source) { sizes.add(plan.rendition(at: row)) }
    }
    return sizes
  }

  @Test func datesCountFromTheDayOrFromTheBuildsOwnDate() {
    let now = Date(timeIntervalSince1970: 86_400 * 3 + 5000)
    #expect(RunDate(environment: [:], now: now).day.timeIntervalSince1970 == 86_400 * 3)
    let epoch = ["SOURCE_DATE_EPOCH": "\(86_400 * 2 + 7)"]
    #expect(RunDate(environment: epoch, now: now).day.timeIntervalSince1970 == 86_400 * 2)
  }
}
