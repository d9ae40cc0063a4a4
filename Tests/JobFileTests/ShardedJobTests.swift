import Bodies
import Foundation
import JobSupport
import TestSupport
import Testing

@testable import JobFile

/// A part of a job, read from its text.
@Suite(.timeLimit(.minutes(10))) struct ShardedJobTests {
  private func read(_ text: String, _ shard: String?) throws -> JobFileReading {
    var overrides = GivenSettings()
    overrides.shard = try shard.map { try #require(Shard($0)) }
    return JobFileReading(JobFileReading.head + text, overrides: overrides)
  }

  /// Lines in every spelling that a source may have.
  private static let lines =
    [
      "https://img.example.com/1.jpg", "HTTPS://img.example.com/1.jpg card",
      "\"https://img.example.com/a b.jpg\" card",
      "https://img.example.com/1.jpg#top card", "  https://img.example.com/2.jpg?w=3  card  id=two",
      "https://img.example.com:8443/3.jpg", "https://bücher.example/4.jpg", "/srv/5.png card", "./6.png",
      "data:image/png;base64,AAAA", "http://img.example.com/7.jpg priority=high",
    ] + (10..<60).map { "https://img.example.com/\($0).jpg card" }

  /// Lines of other parts may use a chain that this one does not.
  @Test func aPartDoesNotJudgeUnusedChains() throws {
    let text = "chain spare = circle\nhttps://img.example.com/1.jpg card"
    #expect(try read(text, nil).warnings.contains { $0.message.contains("'spare' is never used") })
    for part in ["1/2", "2/2"] { #expect(try read(text, part).warnings.isEmpty) }
  }

  @Test(arguments: [1, 2, 3, 7, 16]) func thePartsTogetherAreTheWhole(count: Int) throws {
    let text = Self.lines.joined(separator: "\n")
    let whole = try read(text, nil)
    #expect(whole.errors.isEmpty)
    var found: [Int: [String]] = [:]
    for number in 1...count {
      let part = try read(text, "\(number)/\(count)")
      #expect(part.errors.isEmpty, "\(part.errors)")
      for entry in part.entries {
        found[entry.line, default: []].append(entry.url)
      }
    }
    for entry in whole.entries { #expect(found[entry.line] == [entry.url], "line \(entry.line)") }
  }

  @Test func aSourceIsInOnePartHoweverItsLinesAreWritten() throws {
    let text =
      "https://img.example.com/1.jpg#a\nhttps://img.example.com/1.jpg card\n\"https://img.example.com/1.jpg\"\n"
    let counts = try (1...5).map { try read(text, "\($0)/5").entries.count }
    #expect(counts.sorted() == [0, 0, 0, 0, 3])
  }

  @Test func listsAreSharedToo() throws {
    let folder = try TemporaryFolder()
    try folder.write((0..<40).map { "https://img.example.com/l\($0).jpg\n" }.joined(), to: "list.txt")
    let text =
      "https://img.example.com/0.jpg\ninclude \(folder.file("list.txt").path) card\nhttps://img.example.com/9.jpg"
    let parts = try (1...4).map { try read(text, "\($0)/4") }
    #expect(parts.reduce(0) { $0 + $1.entries.count } == 42)
  }

  /// A mistake is told by the part that its source is of, and by that one only.
  @Test(arguments: ["https://img.example.com/1.jpg nosuchchain", "https://img.example.com/1.jpg card \u{1}"])
  func aMistakeIsToldByItsPart(line: String) throws {
    let others = (2..<30).map { "https://img.example.com/\($0).jpg\n" }.joined()
    let told = try (1...4).map { try read(line + "\n" + others, "\($0)/4").errors.count }
    #expect(told.sorted() == [0, 0, 0, 1])
  }

  @Test func aPartHasAFolderOfItsOwn() throws {
    let shard = try #require(Shard("3/12"))
    #expect(shard.folder(of: "/srv/out") == "/srv/out.shard-03-of-12")
    #expect(shard.folder(of: "/srv/{shard}/out") == "/srv/03-of-12/out")
    let settings = try #require(try read(Self.lines[0], "1/1").settings)
    #expect(settings.cache.hasSuffix("/out.shard-1-of-1"))
  }

  @Test func aPartMayBeEmpty() throws {
    let parts = try (1...16).map { try read("https://img.example.com/1.jpg", "\($0)/16") }
    #expect(parts.count { $0.entries.isEmpty } == 15)
    #expect(parts.allSatisfy { $0.errors.isEmpty })
  }
}
