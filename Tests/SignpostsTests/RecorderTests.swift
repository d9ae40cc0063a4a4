import Concurrency
import Foundation
import TestSupport
import Testing

@testable import Signposts

@Suite(.timeLimit(.minutes(10))) struct RecorderTests {
  let memo = Memo()
  let recorder: SignpostRecorder
  let signposts: Signposter

  init() {
    // So long that only a test itself flushes.
    recorder = SignpostRecorder(exporters: [memo], flushEvery: 1_000_000)
    signposts = Signposter(recorder)
  }

  @Test func aShortIntervalIsToldOnceAndWhole() throws {
    let interval = signposts.beginInterval(.renderSource, [.worker: .integer(2)])
    signposts.endInterval(interval, [.count: .integer(7)])
    recorder.close()
    let span = try #require(memo.intervals.first)
    #expect(memo.intervals.count == 1 && memo.begun.isEmpty && memo.open == [])
    #expect(span.name == .renderSource && span.duration >= 0)
    #expect(span.metadata == [.worker: .integer(2), .count: .integer(7)])
  }

  @Test func anIntervalThatOutlastsAFlushIsToldAsBegunAndThenWhole() {
    let interval = signposts.beginInterval(.fetchSource, [.host: .text("e.com")])
    recorder.flush()
    #expect(memo.begun.map(\.id) == [interval.id] && memo.intervals.isEmpty)
    recorder.flush()
    #expect(memo.begun.count == 1)
    signposts.endInterval(interval)
    recorder.close()
    #expect(memo.intervals.map(\.id) == [interval.id])
    #expect(memo.intervals.first?.metadata[.host] == .text("e.com"))
    #expect(memo.records.contains { if case .interval(_, wasBegun: true) = $0 { true } else { false } })
  }

  @Test func whatNeverEndsIsSaidAtTheEnd() throws {
    let interval = signposts.beginInterval(.stageFile)
    recorder.close()
    #expect(memo.open?.map(\.id) == [try #require(interval.id)])
    signposts.endInterval(interval)
    recorder.close()
    #expect(memo.intervals.isEmpty)
  }

  @Test func endingTwiceCountsOnce() {
    let interval = signposts.beginInterval(.stageFile)
    signposts.endInterval(interval)
    signposts.endInterval(interval)
    recorder.close()
    #expect(memo.intervals.count == 1)
  }

  @Test func aDisabledSignposterMakesNoArguments() {
    func metadata() -> SignpostMetadata {
      Issue.record("the arguments were made")
      return [:]
    }
    let off = Signposter.disabled
    #expect(!off.isEnabled)
    off.endInterval(off.beginInterval(.parseJob, metadata()), metadata())
    off.emitEvent(.startWorker, metadata())
    off.addInterval(.encodeImage, from: 0, to: 1, metadata())
    #expect(off.withInterval(.makePlan, metadata()) { 5 } == 5)
  }

  @Test func workThatThrowsEndsItsIntervalToo() {
    struct Failure: Error {}
    #expect(throws: Failure.self) {
      try signposts.withInterval(.openCache) { () throws(Failure) in throw Failure() }
    }
    recorder.close()
    #expect(memo.intervals.first?.metadata[.succeeded] == .flag(false))
  }

  @Test func othersMeasurementsKeepTheirTimesAndTheirParent() throws {
    let parent = signposts.beginInterval(.renderSource)
    signposts.addInterval(.decodeImageData, from: 100, to: 350, in: parent)
    signposts.addInterval(.encodeImage, from: 400, to: 300)
    recorder.close()
    let spans = memo.intervals
    #expect(spans[0].parent == parent.id && spans[0].begin == 100 && spans[0].duration == 250)
    #expect(spans[1].parent == nil && spans[1].duration == 0)
  }

  @Test func countersAreToldWhenTheyChange() {
    let value = Locked(5)
    signposts.sample(.queueDepth) { value.withLock { $0 } }
    recorder.flush()
    recorder.flush()
    value.withLock { $0 = 6 }
    recorder.close()
    let values = memo.records.compactMap {
      if case .counter(.queueDepth, let value, _) = $0 { value } else { nil }
    }
    #expect(values == [5, 6])
    #expect(
      memo.records.contains {
        if case .counter(.memory, let value, _) = $0 { value > 1 << 20 } else { false }
      })
  }

  @Test func manyThreadsLoseNothing() async throws {
    let threads = (0..<4).map { _ in
      OwnThread { [signposts, recorder] in
        for turn in 0..<5000 {
          let interval = signposts.beginInterval(.stageFile)
          if turn.isMultiple(of: 1000) { recorder.flush() }
          signposts.endInterval(interval)
        }
      }
    }
    for thread in threads { try await thread.value }
    recorder.close()
    #expect(Set(memo.intervals.map(\.id)).count == 20_000)
    #expect(memo.intervals.count == 20_000 && memo.open == [])
  }

  @Test func theClockIsTheOneOfAllProcesses() throws {
    let before = SignpostClock.now
    // The first number of /proc/uptime counts from the same moment, in hundredths of seconds.
    let uptime = try String(contentsOfFile: "/proc/uptime", encoding: .utf8).split(separator: " ")[0]
    let seconds = try #require(Double(uptime))
    #expect(abs(seconds - Double(before) / 1e9) < 60)
  }
}
