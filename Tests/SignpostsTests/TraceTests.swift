import Foundation
import TestSupport
import Testing

@testable import Signposts

/// Python reads the traces: a parser that knows nothing of ours.
@Suite(.timeLimit(.minutes(10))) struct TraceTests {
  /// Prints what is wrong with a trace, one finding a line.
  static let checker = """
    import json, sys
    text = open(sys.argv[1]).read()
    events = json.loads(text if text.rstrip().endswith("]") else text + "]")
    rows, names = {}, {}
    for event in events:
        if event["ph"] == "M" and event["name"] == "process_name":
            names[event["pid"]] = event["args"]["name"]
        if event["ph"] in "be":
            rows.setdefault((event["pid"], event["cat"], event["id"]), []).append(event)
    for row, edges in rows.items():
        open_ones = []
        if row[0] not in names:
            print("no name for the track", row)
        for edge in sorted(edges, key=lambda edge: edge["ts"]):
            if edge["ph"] == "b":
                open_ones.append(edge)
            elif not open_ones or open_ones[-1]["name"] != edge["name"]:
                print("wrong end", row, edge["name"], edge["ts"])
            else:
                open_ones.pop()
        for edge in open_ones:
            print("no end", row, edge["name"])
    print(sorted(names.values()), len(rows), sum(e["ph"] == "C" for e in events))
    """

  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("trace.json").path
  }

  func check() throws -> [String] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", Self.checker, path]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Two workers with nested intervals, transfers that overlap, and one that never ends.
  func record(_ recorder: SignpostRecorder) -> Signposter {
    let signposts = Signposter(recorder)
    signposts.sample(.bytesInFlight) { 12 }
    let unfinished = signposts.beginInterval(.loadImageData, [.host: .text("b.com")])
    for worker in 1...2 {
      let source = signposts.beginInterval(.renderSource, [.worker: .integer(worker)])
      let begin = SignpostClock.now
      for name in [SignpostName.decodeImageData, .processImage, .encodeImage] {
        // One ends in the moment in which the next begins, or lasts no time at all.
        signposts.addInterval(
          name, from: begin, to: begin, in: source, [.worker: .integer(worker)])
      }
      let first = signposts.beginInterval(.loadImageData, [.host: .text("a.com")])
      let second = signposts.beginInterval(.loadImageData, [.host: .text("a.com")])
      recorder.flush()
      signposts.endInterval(first)
      signposts.endInterval(second)
      signposts.endInterval(source)
    }
    _ = unfinished
    return signposts
  }

  @Test func everyBeginHasItsEndAndIntervalsNest() async throws {
    let file = try SignpostFile(path: path)
    let recorder = SignpostRecorder(
      exporters: [SignpostTraceExporter(file: file, program: "preheat 1")], flushEvery: 1_000_000)
    record(recorder).emitEvent(.retryLoad, [.host: .text("a.com")])
    recorder.close()
    let findings = try await OwnThread { try check() }.value
    #expect(findings.count == 1, "\(findings)")
    #expect(findings.last?.hasPrefix("['a.com', 'b.com', 'preheat 1', 'worker 1', 'worker 2'] 7 ") == true)
  }

  @Test func aTraceThatWasCutIsStillABeginning() async throws {
    let file = try SignpostFile(path: path)
    let recorder = SignpostRecorder(
      exporters: [SignpostTraceExporter(file: file, program: "preheat 1")], flushEvery: 1_000_000)
    _ = record(recorder)
    recorder.flush()
    let findings = try await OwnThread { try check() }.value
    #expect(findings.dropLast() == ["no end \(Self.unfinishedRow) LoadImageData"], "\(findings)")
  }

  static let unfinishedRow = "(100000, 'network', '1')"
}
