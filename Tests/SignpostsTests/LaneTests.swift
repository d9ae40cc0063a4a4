import Testing

@testable import Signposts

@Suite(.timeLimit(.minutes(10)))
struct LaneTests {
  private func lane(_ stretches: [(Int64, Int64)], to end: Int64 = 100, slices: Int = 10) -> SignpostLane {
    SignpostLane(
      owner: .init(kind: .worker, name: "worker 1"),
      stretches: stretches.map { $0.0..<$0.1 }, from: 0, to: end,
      slices: slices)
  }

  @Test func aSliceHasTheMeanOfWhatWasUnderWay() {
    #expect(lane([(0, 10), (10, 15)], slices: 10).levels == [1, 0.5] + Array(repeating: 0, count: 8))
    #expect(lane([(0, 100), (0, 100)], slices: 4).levels == [2, 2, 2, 2])
    #expect(lane([(95, 300)]).levels.last == 0.5)
  }

  @Test func busyTimeCountsOverlapsOnce() {
    let lane = lane([(0, 20), (10, 30), (50, 60)])
    #expect(lane.busy == 40 / 1e9 && lane.peak == 2 && lane.count == 3)
  }

  @Test func whatIsEmptyOrOutsideDoesNoHarm() {
    #expect(lane([], to: 0, slices: 0).levels == [0])
    #expect(lane([(-50, -20), (200, 300), (5, 5)]).levels == Array(repeating: 0, count: 10))
  }

  @Test func aCollectorSortsWorkersBeforeHosts() throws {
    let collector = SignpostCollector()
    let recorder = SignpostRecorder(exporters: [collector])
    let signposts = Signposter(recorder)
    signposts.addInterval(
      .loadImageData, from: collector.start, to: collector.start + 50, [.host: .text("e.com")])
    for worker in [2, 1] {
      signposts.addInterval(
        .renderSource, from: collector.start, to: collector.start + 100, [.worker: .integer(worker)])
    }
    recorder.close()
    #expect(collector.lanes().map(\.name) == ["worker 1", "worker 2", "e.com"])
    #expect(collector.operations().map(\.name) == ["RenderSource", "LoadImageData"])
    #expect(collector.operations().first?.count == 2)
  }
}
