import Foundation
import Testing

@testable import NukeCache

@Suite(.timeLimit(.minutes(10)))
struct DataCacheStagingTests {
  private let one = Data("one".utf8)
  private let two = Data("two".utf8)

  @Test func theFirstChangeSchedulesAFlushAndTheNextOnesDoNot() {
    var staging = StagingArea()
    #expect(staging.stage(.store(one), for: "a") == .scheduleFlush)
    #expect(staging.stage(.remove, for: "b") == .none)
    #expect(staging.stageRemovalOfAll() == .none)
    #expect(!staging.beginFlush().isEmpty)
    #expect(staging.stage(.store(one), for: "a") == .scheduleFlush)
  }

  @Test func theNewestChangeOfANameIsWhatCounts() {
    var staging = StagingArea()
    _ = staging.stage(.store(one), for: "a")
    _ = staging.stage(.store(two), for: "a")
    #expect(staging.lookup("a") == .store(two))
    _ = staging.stage(.remove, for: "a")
    #expect(staging.lookup("a") == .remove)
    #expect(staging.lookup("b") == nil)
    #expect(staging.beginFlush() == StagingArea.Batch(changes: ["a": .remove]))
  }

  @Test func removingEverythingForgetsOlderChangesNotLaterOnes() {
    var staging = StagingArea()
    _ = staging.stage(.store(one), for: "a")
    _ = staging.stageRemovalOfAll()
    _ = staging.stage(.store(two), for: "b")
    #expect(staging.lookup("a") == .remove)
    #expect(staging.lookup("b") == .store(two))
    #expect(staging.beginFlush() == StagingArea.Batch(removesAll: true, changes: ["b": .store(two)]))
  }

  @Test func aBatchBeingWrittenIsStillSeenAndNewerChangesCoverIt() {
    var staging = StagingArea()
    _ = staging.stage(.store(one), for: "a")
    _ = staging.stage(.store(one), for: "b")
    _ = staging.beginFlush()
    #expect(staging.lookup("a") == .store(one))

    _ = staging.stage(.store(two), for: "a")
    #expect(staging.lookup("a") == .store(two))
    _ = staging.stageRemovalOfAll()
    #expect(staging.lookup("b") == .remove)

    staging.endFlush()
    #expect(staging.lookup("b") == .remove)
    #expect(staging.beginFlush() == StagingArea.Batch(removesAll: true))
    staging.endFlush()
    #expect(staging.lookup("b") == nil)
  }

  @Test func flushingOneNameTakesAlongARemovalOfEverything() {
    var staging = StagingArea()
    _ = staging.stageRemovalOfAll()
    _ = staging.stage(.store(one), for: "a")
    _ = staging.stage(.store(two), for: "b")
    #expect(
      staging.beginFlush(of: "b") == StagingArea.Batch(removesAll: true, changes: ["b": .store(two)]))
    staging.endFlush()
    #expect(staging.beginFlush(of: "unknown").isEmpty)
    #expect(staging.beginFlush() == StagingArea.Batch(changes: ["a": .store(one)]))
  }

  @Test func muchStagedDataIsFlushedWithoutWaitingAndAskedForOnce() {
    var staging = StagingArea(byteLimit: 10)
    #expect(staging.stage(.store(Data(count: 6)), for: "a") == .scheduleFlush)
    // Replaced data does not count twice.
    #expect(staging.stage(.store(Data(count: 8)), for: "a") == .none)
    #expect(staging.stage(.store(Data(count: 2)), for: "b") == .flushNow)
    #expect(staging.stage(.store(Data(count: 9)), for: "c") == .none)
    _ = staging.beginFlush(of: "a")
    staging.endFlush()
    _ = staging.beginFlush()
    staging.endFlush()
    #expect(staging.stage(.store(Data(count: 11)), for: "d") == .flushNow)
  }
}
