import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct TimingsCommandTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Seven of `EncodeImage`, two of them on worker 2, and a fetch.
  func log() throws -> String {
    var lines = [#"{"type":"header","v":1}"#]
    for index in 0..<7 {
      lines.append(
        #"{"type":"interval","name":"EncodeImage","id":\#(index),"begin":\#(index * 1_000_000),"#
          + #""duration":\#((index + 1) * 400_000),"category":"render","worker":\#(index < 5 ? 1 : 2)}"#
      )
    }
    lines.append(
      #"{"type":"interval","name":"FetchSource","id":9,"begin":0,"duration":1234567890,"host":"e.com"}"#)
    lines.append(#"{"type":"footer","time":1,"open":0}"#)
    try folder.write(lines.joined(separator: "\n") + "\n", to: "log")
    return folder.file("log").path
  }

  func timings(_ arguments: String...) async throws -> Outcome {
    try await Outcome(of: ["timings"] + arguments)
  }

  @Test func theTableHasALineAnOperation() async throws {
    let result = try await timings(try log()).expect(0)
    #expect(result.messages == "")
    #expect(
      result.output == """
        operation    count    total    mean     p50     p95     p99     max  parallel  peak
        FetchSource      1    1.2 s   1.2 s   1.2 s   1.2 s   1.2 s   1.2 s         1     1
        EncodeImage      7  11.2 ms  1.6 ms  1.6 ms  2.8 ms  2.8 ms  2.8 ms       1.4     2

        """)
  }

  @Test func aTableIsSplit() async throws {
    let result = try await timings(try log(), "--by", "worker")
    #expect(
      result.output == """
        operation    worker  count   total    mean     p50     p95     p99     max  parallel  peak
        EncodeImage  1           5    6 ms  1.2 ms  1.2 ms    2 ms    2 ms    2 ms       1.2     2
        EncodeImage  2           2  5.2 ms  2.6 ms  2.4 ms  2.8 ms  2.8 ms  2.8 ms       1.4     2

        """)
  }

  @Test func programsGetNanoseconds() async throws {
    let result = try await timings(try log(), "--json")
    let objects = try result.output.split(separator: "\n").map {
      try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(objects.map { $0["name"] as? String } == ["FetchSource", "EncodeImage"])
    #expect(objects[1]["p95"] as? Int == 2_800_000 && objects[1]["peakParallelism"] as? Int == 2)
  }

  @Test func whatIsNoLogIsAnErrorAndACutOneAWarning() async throws {
    try folder.write("client nuke 12\n", to: "a.job")
    try await timings(folder.file("a.job").path).expect(
      2, "is not a signpost log; one is written by preheat run --signposts FILE", isSilent: true)
    try folder.write(#"{"type":"header","v":1}"# + "\n", to: "cut")
    try await timings(folder.file("cut").path).expect(0, "has no end")
  }
}
