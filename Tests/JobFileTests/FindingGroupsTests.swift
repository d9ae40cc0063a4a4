import JobSupport
import Syntax
import Testing

@testable import JobFile

/// What is found in a job is shown in groups: the many do not hide the one.
@Suite(.timeLimit(.minutes(10))) struct FindingGroupsTests {
  private func shown(_ lines: [String], keeping most: Int? = nil) -> (JobFileReading, [String]) {
    var given = GivenSettings()
    if let most { given.errorsKept = most }
    let job = JobFileReading(JobFileReading.head + lines.joined(separator: "\n") + "\n", overrides: given)
    return (job, job.diagnostics.rendered().split(separator: "\n").map(String.init))
  }

  private let rewritten = (1...120).map { "https://e.com/ü\($0).png card" }
  private let signed = (1...4).map { "https://e.com/\($0).jpg?X-Amz-Signature=\($0) card" }

  @Test func ofALargeKindThreeAreShownWithTheirLines() {
    let text = shown(rewritten).1
    let heads = text.filter { $0.contains(": warning: URL(string:) changes this URL") }
    #expect(heads.map { $0.prefix(10) } == ["test.job:4", "test.job:5", "test.job:6"])
    #expect(text.last == "and 117 more of this kind, 120 in all")
  }

  @Test func ofASmallKindAllAreShown() {
    let text = shown(Array(rewritten.prefix(4))).1
    #expect(
      text.count { $0.contains("changes this URL") } == 4 && !text.contains { $0.contains("more of this") })
  }

  /// However late it stands, and however many others there are.
  @Test func whatMakesACacheUselessComesFirst() throws {
    let (job, text) = shown(rewritten + signed)
    #expect(try #require(text.first).contains("which is part of the key"))
    #expect(job.diagnostics.digest.first?.isVital == true && job.diagnostics.digest.count == 51)
    #expect(shown(rewritten + ["https://e.com/ü.jpg crad"]).1.first?.contains("error: ") == true)
  }

  /// Names and numbers differ within a kind, an apostrophe is no quote.
  @Test func aKindIsWhatMessagesHaveInCommon() {
    let chains = (1...9).map { "chain c\($0) = resize(width: \($0))" }
    let text = shown(chains + ["https://e.com/1.jpg card"]).1
    #expect(
      text.count { $0.contains("is never used") } == 3 && text.last == "and 6 more of this kind, 9 in all")
    var found = Diagnostics()
    for message in ["the app's key is a", "the app's key is b", "the word 'a' is x", "the word 'b' is x"] {
      for line in 1...5 {
        found.add(Diagnostic(.warning, file: "a", line: line, column: 1, message: message))
      }
    }
    #expect(
      found.rendered().split(separator: "\n").filter { $0.hasPrefix("and ") }.map(String.init).sorted()
        == [
          "and 2 more of this kind, 5 in all", "and 2 more of this kind, 5 in all",
          "and 7 more of this kind, 10 in all",
        ])
  }

  @Test func forProgramsAllAreKept() {
    #expect(shown(rewritten, keeping: .max).0.warnings.count == 120)
    #expect(shown(rewritten).0.warnings.count == 50)
  }

  /// A file that is no job has a strange word in each of its lines.
  @Test func kindsWithoutEndAreCounted() {
    var found = Diagnostics()
    for number in 0..<200 {
      let word = String(
        String(number).map { Character(UnicodeScalar(UInt8(ascii: "a") + UInt8(String($0))!)) })
      found.add(Diagnostic(.error, file: "a", line: number + 1, column: 1, message: "no \(word) here"))
    }
    #expect(found.errorCount == 200 && found.rendered().hasSuffix("\nand 150 more of other kinds"))
  }
}
