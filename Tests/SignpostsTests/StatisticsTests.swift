import Foundation
import TestSupport
import Testing
import Text

@testable import Signposts

@Suite(.timeLimit(.minutes(10))) struct StatisticsTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func log(_ lines: [String], _ name: String = "log", header: String = #"{"type":"header","v":1}"#) throws
    -> String
  {
    let url = folder.file(name)
    try Data(([header] + lines).map { $0 + "\n" }.joined().utf8).write(to: url)
    return url.path
  }

  static func line(_ name: String, _ id: Int, _ begin: Int, _ duration: Int, _ rest: String = "") -> String {
    #"{"type":"interval","name":"\#(name)","id":\#(id),"begin":\#(begin),"duration":\#(duration)\#(rest)}"#
  }

  @Test func theFiguresAreThoseOfTheDefinition() throws {
    let path = try log((1...100).map { Self.line("A", $0, $0 * 1000, $0 * 10) } + [#"{"type":"footer"}"#])
    var statistics = SignpostStatistics()
    try statistics.add(path)
    let a = try #require(statistics.operations().first)
    #expect(statistics.cutLogs == 0 && statistics.damagedLines == 0)
    #expect(a.count == 100 && a.total == 50_500 && a.mean == 505)
    #expect(a.p50 == 500 && a.p95 == 950 && a.p99 == 990 && a.max == 1000)
    #expect(a.peakParallelism == 1 && a.meanParallelism == 1)
  }

  @Test(arguments: [Int.max, Int.min, 100_000_000_000_000_000, 999_999_999_999_999_999])
  func aTimeThatNoRunTakesIsADamagedLine(time: Int) throws {
    let path = try log([
      Self.line("A", 1, time, 5), Self.line("A", 2, 5, time),
      #"{"duration":\#(time),"begin":1,"id":3,"name":"A","type":"interval"}"#, Self.line("A", 4, 10, 10),
    ])
    var statistics = SignpostStatistics()
    try statistics.add(path)
    #expect(try #require(statistics.operations().first).count == 1)
    #expect(statistics.damagedLines == 3)
  }

  @Test func totalsThatAreTooLargeStayTheLargestNumber() throws {
    let path = try log((1...200).map { Self.line("A", $0, 0, 99_999_999_999_999_999) })
    var statistics = SignpostStatistics()
    try statistics.add(path)
    #expect(statistics.operations().first?.total == .max)
  }

  static let overlaps: [([(Int, Int)], Int, Double)] = [
    ([(0, 10), (10, 10)], 1, 1), ([(0, 10), (5, 10)], 2, 20.0 / 15), ([(0, 10), (0, 10), (0, 10)], 3, 3),
    ([(0, 100), (10, 10), (30, 10)], 2, 1.2), ([(5, 0)], 1, 0), ([(0, 10), (20, 10)], 1, 1),
    ([(0, 10), (3, 0), (3, 0)], 3, 1),
  ]

  @Test(arguments: overlaps)
  func parallelismIsCountedWhileAnythingRuns(spans: [(Int, Int)], peak: Int, mean: Double) throws {
    let path = try log(spans.enumerated().map { Self.line("A", $0, $1.0, $1.1) })
    var statistics = SignpostStatistics()
    try statistics.add(path)
    let a = try #require(statistics.operations().first)
    #expect(a.peakParallelism == peak)
    #expect(abs(a.meanParallelism - mean) < 1e-9)
  }

  @Test func groupsAreReadFromTheirMembersAlone() throws {
    let path = try log([
      Self.line("A", 1, 0, 5, #","file":"\",\"host\":\"x","host":"a.com","worker":3"#),
      Self.line("A", 2, 0, 5, #","host":"a\u002ecom""#), Self.line("A", 3, 0, 5, #","worker":3"#),
      #"{"host": "b.com", "duration": 4, "begin": 1, "id": 4, "name": "A", "type": "interval"}"#,
      Self.line("A", 5, 0, 5, #","host":{"new":[1]},"more":[1,2]"#),
    ])
    var byHost = SignpostStatistics(by: .host)
    try byHost.add(path)
    #expect(byHost.operations().map { "\($0.group ?? "-") \($0.count)" } == ["a.com 2", "b.com 1"])
    var byWorker = SignpostStatistics(by: .worker)
    try byWorker.add(path)
    #expect(byWorker.operations().map { "\($0.group ?? "-") \($0.count)" } == ["3 2"])
  }

  @Test func theDownloadAndTheRenderingOfAURLStandTogetherTheSlowestFirst() throws {
    let path = try log(
      [("FetchSource", 5, "a"), ("RenderSource", 3, "a"), ("FetchSource", 1, "b"), ("RenderSource", 50, "b")]
        .enumerated().map { Self.line($1.0, $0, 0, $1.1, #","url":"\#($1.2)""#) })
    var statistics = SignpostStatistics(by: .url)
    try statistics.add(path)
    #expect(
      statistics.operations().map { "\($0.group ?? "") \($0.name)" } == [
        "b RenderSource", "b FetchSource", "a FetchSource", "a RenderSource",
      ])
  }

  @Test func aCutLogSaysWhatWasUnderWay() throws {
    let begin = #"{"type":"begin","name":"A","id":9,"begin":0,"category":"store"}"#
    let path = try log([begin, begin.replacing("9", with: "8"), Self.line("A", 8, 0, 7), #"{"type":"inter"#])
    var statistics = SignpostStatistics()
    try statistics.add(path)
    #expect(statistics.cutLogs == 1 && statistics.damagedLines == 1)
    #expect(statistics.operations().map(\.unfinished) == [1])
  }

  @Test func aLineOfMegabytesIsOneDamagedLineAndNotSeveral() throws {
    let long = String(repeating: "x", count: 3 << 20)
    let path = try log([Self.line("A", 1, 0, 7), "", long, Self.line("A", 2, 0, 7) + "\r"])
    var statistics = SignpostStatistics()
    try statistics.add(path)
    #expect(statistics.damagedLines == 1)
    #expect(statistics.operations().map(\.count) == [2])
  }

  @Test func whatIsNoLogIsRefused() throws {
    var statistics = SignpostStatistics()
    #expect(throws: ReadFailure.self) { try statistics.add(folder.file("none").path) }
    #expect(throws: ReadFailure.self) { try statistics.add(try log([], header: "client nuke 12")) }
    #expect(throws: ReadFailure.self) { try statistics.add(folder.path) }
    let error = #expect(throws: ReadFailure.self) {
      try statistics.add(try log([], header: #"{"type":"header","v":2}"#))
    }
    #expect(error?.reason.contains("version 2") == true)
  }

  @Test func linesMayBeLongAndNamesUnknown() throws {
    let long = String(repeating: "x", count: 300_000)
    let lines = (0..<8).map { Self.line("Later\($0 % 2)", $0, 0, 1, #","file":"\#(long)""#) }
    var statistics = SignpostStatistics()
    try statistics.add(try log(lines))
    #expect(statistics.operations().map { "\($0.name) \($0.count)" } == ["Later0 4", "Later1 4"])
  }

  @Test func whatTheRecorderWritesIsRead() throws {
    let path = folder.file("own").path
    let recorder = SignpostRecorder(exporters: [
      SignpostLogExporter(file: try SignpostFile(path: path), program: "preheat 1")
    ])
    let signposts = Signposter(recorder)
    for worker in 1...3 {
      signposts.addInterval(.encodeImage, from: 0, to: Int64(worker), [.worker: .integer(worker)])
    }
    recorder.close()
    var statistics = SignpostStatistics(by: .worker)
    try statistics.add(path)
    #expect(statistics.operations().map(\.group) == ["3", "2", "1"])
    #expect(statistics.operations().map(\.total) == [3, 2, 1])
    #expect(statistics.cutLogs == 0)
  }

  @Test func aCollectorHasTheLongestOperationFirst() {
    let collector = SignpostCollector()
    let recorder = SignpostRecorder(exporters: [collector])
    let signposts = Signposter(recorder)
    signposts.addInterval(.loadImageData, from: 0, to: 50)
    for end in [100, 200] as [Int64] { signposts.addInterval(.renderSource, from: 0, to: end) }
    recorder.close()
    #expect(collector.operations().map(\.name) == ["RenderSource", "LoadImageData"])
    #expect(collector.operations().map(\.count) == [2, 1])
  }
}
