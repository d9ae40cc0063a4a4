import Foundation
import TestSupport
import Testing

/// `scripts/corpus` compares what is drawn with another decoder, and finds what it is there for.
@Suite(.timeLimit(.minutes(10)))
struct DecoderComparisonTests {
  private func corpus(_ preheat: URL, _ folders: [String] = []) throws -> (status: Int32, output: String) {
    let work = try TemporaryFolder()
    let process = Process()
    let pipe = Pipe()
    process.executableURL = Fixtures.checkout.appendingPathComponent("scripts/corpus")
    process.arguments = [preheat.path] + folders
    process.environment = ProcessInfo.processInfo.environment.merging(["PREHEAT_BENCH_WORK": work.path]) {
      $1
    }
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, output)
  }

  @Test func theFixturesAreDrawnAsAnotherDecoderDrawsThem() async throws {
    try await OwnThread {
      let result = try corpus(BuiltCommand.preheat)
      #expect(result.status == 0, "\(result.output)")
      #expect(result.output.contains("known: jpeg: CMYK"))
    }.value
  }

  /// What was drawn is changed after the run: its colours, size or alpha.
  @Test(arguments: [
    ("mogrify -negate", "png: colours"), ("mogrify -resize 50%", "png: size"),
    ("mogrify -alpha set -channel A -evaluate set 20%", "png: alpha"),
  ])
  func aDifferenceIsFound(change: String, finding: String) async throws {
    try await OwnThread {
      let folder = try TemporaryFolder()
      try FileManager.default.createDirectory(at: folder.file("in"), withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        at: Fixtures.checkout.appendingPathComponent("Tests/Fixtures/images/opaque.png"),
        to: folder.file("in/a.png"))
      let wrapper = folder.file("preheat")
      let script =
        "#!/bin/sh\n'\(BuiltCommand.preheat.path)' \"$@\"\nfor file in out/?*; do \(change) \"png:$file\"; done\n"
      try Data(script.utf8).write(to: wrapper)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: wrapper.path)
      let result = try corpus(wrapper, [folder.file("in").path])
      #expect(
        result.status == 1 && result.output.contains("NOT EXPLAINED: \(finding): 1"), "\(result.output)")
    }.value
  }
}
