import Foundation
import JobSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(FaultCount.minutes)))
struct JobFileFuzzTests {
  /// A job that the fuzzer begins with, and a line that it leaves out.
  private static func valid(_ name: String) throws -> Data {
    try Data(contentsOf: Fixtures.checkout.appendingPathComponent("Tests/Fuzz/Corpus/job/\(name)"))
      + Data("include /nonexistent/urls.txt card\n".utf8)
  }

  /// Any bytes are fine: what comes out are entries and diagnostics whose places lie in the text.
  @Test("Changed jobs never crash the parser", arguments: 0..<4)
  func mutations(part: Int) throws {
    let valid = try Self.valid(["nuke", "kingfisher", "sdwebimage", "nuke"][part])
    for number in 0..<FaultCount.of(2500, full: 250_000) {
      let bytes = [UInt8](Mutation.damage(valid, seed: number * 4 + part))
      let lines = bytes.split(separator: 10, omittingEmptySubsequences: false).count
      let job = JobFileReading(.text(name: "fuzz.job", bytes: bytes), environment: ["TOKEN": "t"])
      for diagnostic in job.diagnostics where !(1...lines).contains(diagnostic.line) || diagnostic.column < 1
      {
        Issue.record("a diagnostic lies outside the text: \(diagnostic)")
      }
      for entry in job.entries where !entry.chains.allSatisfy(job.chains.rows.indices.contains) {
        Issue.record("an entry has a chain that does not exist")
      }
      if number.isMultiple(of: 5) { _ = job.diagnostics.rendered() }
    }
  }

  @Test func prefixesOfAJobNeverCrashTheParser() throws {
    let valid = [UInt8](try Self.valid("nuke"))
    for end in valid.indices {
      _ = JobFileReading(.text(name: "fuzz.job", bytes: Array(valid[..<end]))).diagnostics.rendered()
    }
  }

  @Test func deepAndLongTextIsNoDanger() {
    for text in [
      "(", "|", "\"", "circle|", "a(", "a:", "x=(", "\\", "card ", "((", "as \"x\" ", "resize(width: 3) | ",
    ] {
      let line = "/1.png c" + String(repeating: text, count: 20_000)
      let job = JobFileReading(JobFileReading.head + line)
      #expect(job.diagnostics.hasErrors)
    }
  }
}
