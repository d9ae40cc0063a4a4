import Foundation
import TestSupport
import Testing

@testable import Signposts

/// A source's download and its rendering are shown together: in a trace in one row, in the statistics under one URL.
@Suite(.timeLimit(.minutes(10))) struct SourceRowTests {
  static func metadata(_ source: Int, _ more: SignpostMetadata = [:]) -> SignpostMetadata {
    var metadata: SignpostMetadata = [
      .source: .integer(source), .url: .url("https://a.com/\(source).jpg"), .host: .text("a.com"),
    ]
    metadata.merge(more) { $1 }
    return metadata
  }

  /// Two sources, the second of which is fetched while the first is drawn.
  private func record(_ exporter: any SignpostExporter) {
    let recorder = SignpostRecorder(exporters: [exporter], flushEvery: 1_000_000)
    let signposts = Signposter(recorder)
    let first = signposts.beginInterval(.fetchSource, Self.metadata(1))
    signposts.endInterval(first)
    let drawing = signposts.beginInterval(.renderSource, Self.metadata(1, [.worker: .integer(1)]))
    let second = signposts.beginInterval(.fetchSource, Self.metadata(2))
    recorder.flush()
    signposts.endInterval(second)
    signposts.endInterval(drawing)
    recorder.close()
  }

  @Test func aTraceHasARowForEachSource() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("trace.json").path
    record(SignpostTraceExporter(file: try SignpostFile(path: path), program: "preheat 1"))
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    let events = try #require(JSONSerialization.jsonObject(with: data) as? [[String: Any]])
    let processes = events.filter { $0["name"] as? String == "process_name" }
    func process(_ name: String) -> Int? {
      processes.first { ($0["args"] as? [String: Any])?["name"] as? String == name }?["pid"] as? Int
    }
    func row(_ process: Int?, _ id: String) -> [String] {
      events.filter { $0["pid"] as? Int == process && $0["id"] as? String == id }
        .sorted { ($0["ts"] as? Double ?? 0) < ($1["ts"] as? Double ?? 0) }
        .map { "\($0["ph"] ?? "") \($0["name"] ?? "") \($0["cat"] ?? "")" }
    }
    #expect(
      row(process("a.com"), "source 1") == [
        "b FetchSource source", "e FetchSource source", "b RenderSource source", "e RenderSource source",
      ])
    #expect(row(process("a.com"), "source 2") == ["b FetchSource source", "e FetchSource source"])
    #expect(row(process("worker 1"), "worker 1") == ["b RenderSource render", "e RenderSource render"])
    // A worker's time is what its own row shows.
    let workers = events.filter { $0["cat"] as? String == "source" }.compactMap {
      ($0["args"] as? [String: Any])?["worker"]
    }
    #expect(workers.isEmpty)
  }

  @Test func statisticsByURLKeepASourceTogetherTheSlowestFirst() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("log").path
    let lines = [
      ("FetchSource", 5, "a"), ("RenderSource", 3, "a"), ("FetchSource", 1, "b"), ("RenderSource", 50, "b"),
    ].enumerated().map { id, row in
      #"{"type":"interval","name":"\#(row.0)","id":\#(id),"begin":0,"duration":\#(row.1),"category":"x","url":"\#(row.2)"}"#
    }
    let header = #"{"type":"header","v":1}"#
    let footer = #"{"type":"footer","time":1,"open":0}"#
    try ([header] + lines + [footer]).joined(separator: "\n")
      .write(toFile: path, atomically: true, encoding: .utf8)
    var statistics = SignpostStatistics(by: .url)
    try statistics.add(path)
    #expect(
      statistics.operations().map { "\($0.group ?? "") \($0.name)" } == [
        "b RenderSource", "b FetchSource", "a FetchSource", "a RenderSource",
      ])
  }
}
