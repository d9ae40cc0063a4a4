import Foundation
import JobSupport
import Testing

@testable import Planning
@testable import PreheatCommand
@testable import Reporting

/// What is kept of a run.
@Suite(.timeLimit(.minutes(10)))
struct RunKeeperTests {
  @Test func memoryDoesNotGrowWithTheNumberOfFailures() throws {
    var told = try RunTold(RunTold.lines(30), limit: 10)
    told.settle { $0 % 3 == 0 ? .current : .failed(RunTold.failure()) }
    let record = told.record()
    #expect(record.failures.count == 10)
    #expect(record.renditions.count == 10, "failures are kept first")
    #expect(record.summary.omittedRenditions == 20)
    #expect(record.summary.counts.failed == 20 && record.summary.counts.current == 10)
  }

  @Test func othersAreKeptAsFarAsThereIsRoom() throws {
    var told = try RunTold(RunTold.lines(30), limit: 10)
    told.settle { $0 == 29 ? .failed(RunTold.failure()) : .current }
    let record = told.record()
    #expect(record.failures.count == 1 && record.renditions.count == 10)
    #expect(record.summary.omittedRenditions == 20)
  }

  @Test func aRecordHasAllCountsOfTheRun() throws {
    var told = try RunTold(RunTold.lines(2))
    told.report.counts.sourcesValidated = 7
    told.report.counts.sourcesCached = 9
    told.report.duration = 1.5
    told.settle { _ in .made(bytes: 100, note: nil) }
    let record = told.record(.success)
    #expect(record.summary.counts == told.report.counts)
    #expect(record.summary.counts.sourcesValidated == 7 && record.summary.counts.sourcesCached == 9)
    #expect(record.summary.seconds == 1.5 && record.summary.exit == 0)
    #expect(record.renditions[0].bytes == 100 && record.renditions[0].sourceBytes == 5000)
  }

  @Test func aRunThatCouldNotBeginSaysWhy() throws {
    let told = try RunTold(RunTold.lines(1))
    told.keeper.stopped("another run holds the lock")
    let record = told.record(.locked)
    #expect(record.summary.stopped == "another run holds the lock" && record.summary.stoppedCode == nil)
    #expect(told.keeper.caches.isEmpty)
  }

  @Test func aCacheThatCannotBeWrittenIsNamedByItsCode() throws {
    var told = try RunTold(RunTold.lines(2))
    told.report.storeFailure = StoreFailure(.full, "no space")
    told.settle(1) { _ in .current }
    let summary = told.record(.notWritable).summary
    #expect(summary.stopped == "no space" && summary.stoppedCode == "store.full")
    #expect(summary.counts.leftUndone == 1)
  }

  @Test func noCredentialIsKept() throws {
    var told = try RunTold("https://me:S3cr3t@e.com/1.jpg?token=S3cr3t circle")
    told.settle { _ in .failed(RunTold.failure("https://e.com/?token=S3cr3t: no")) }
    let text = String(decoding: try told.record().lines(), as: UTF8.self)
    #expect(text.contains("e.com") && !text.contains("S3cr3t"))
  }

  @Test func theOrderIsThatOfTheJob() throws {
    var told = try RunTold(RunTold.lines(12))
    told.settle { $0 % 2 == 0 ? .current : .failed(RunTold.failure()) }
    #expect(told.record().renditions.map(\.line) == Array(3..<15))
  }
}

extension RunRecord {
  func lines() throws -> Data {
    var data = Data()
    try forEachPiece { data += $0 }
    return data
  }
}
