import Foundation
import TestSupport
import Testing

/// `scripts/corpus` compares what is drawn with another decoder, and finds what it is there for.
@Suite(.ownThreads, .timeLimit(.minutes(10)))
struct DecoderComparisonTests {
  private func corpus(_ preheat: URL, _ folders: [String] = []) throws -> BuiltCommand.Result {
    let work = try TemporaryFolder()
    let script = Fixtures.checkout.appendingPathComponent("scripts/corpus").path
    return try Program.run([script, preheat.path] + folders, environment: ["PREHEAT_BENCH_WORK": work.path])
  }

  @Test func theFixturesAreDrawnAsAnotherDecoderDrawsThem() throws {
    let result = try corpus(BuiltCommand.preheat)
    #expect(result.status == 0, "\(result.output)")
    #expect(result.output.contains("known: jpeg: CMYK"))
  }

  /// What was drawn is changed after the run: its colours, size or alpha.
  @Test(arguments: [
    ("mogrify -negate", "png: colours"), ("mogrify -resize 50%", "png: size"),
    ("mogrify -alpha set -channel A -evaluate set 20%", "png: alpha"),
  ])
  func aDifferenceIsFound(change: String, finding: String) throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("in")
    try FileManager.default.copyItem(
      at: Fixtures.checkout.appendingPathComponent("Tests/Fixtures/images/opaque.png"),
      to: folder.file("in/a.png"))
    let wrapper = folder.file("preheat")
    let script =
      "#!/bin/sh\n'\(BuiltCommand.preheat.path)' \"$@\"\nfor file in out/?*; do \(change) \"png:$file\"; done\n"
    try folder.writeProgram(script, to: "preheat")
    let result = try corpus(wrapper, [folder.file("in").path])
    #expect(result.status == 1 && result.output.contains("NOT EXPLAINED: \(finding): 1"), "\(result.output)")
  }
}
