import Foundation
import JobSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct JobFileIncludeTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFolder("lists")
  }

  private func job(_ lines: String) throws -> JobFileReading {
    try folder.write(JobFileReading.head + lines, to: "a.job")
    return JobFileReading(.file(folder.path + "/a.job"))
  }

  @Test func aListGivesItsSourcesTheChainsAndOptionsOfItsLine() throws {
    try folder.write("\u{FEFF}# list\r\n\r\nhttps://e.com/1.jpg   # one\r\n../2.png\r\n", to: "lists/u.txt")
    let job = try job("/0.png card\ninclude lists/u.txt card circle priority=low\n/3.png card")
    #expect(job.diagnostics.isEmpty, "\(job.diagnostics.rendered())")
    #expect(
      job.entries.map(\.url) == [
        "file:///0.png", "https://e.com/1.jpg", "file://\(folder.path)/2.png", "file:///3.png",
      ])
    #expect(job.entries.map(\.line) == [4, 3, 4, 6])
    #expect(job.entries[1].file == folder.path + "/lists/u.txt")
    #expect(job.entries.map(\.chains) == [[0], [0, 1], [0, 1], [0]])
    #expect(job.entries.map(\.options.priority) == [.normal, .low, .low, .normal])
  }

  @Test func aListWithoutChainsTakesTheDefault() throws {
    try folder.write("https://e.com/1.jpg", to: "my list.txt")
    let job = try job("default card\ninclude \"my list.txt\"")
    #expect(job.diagnostics.isEmpty)
    #expect(job.entries.map(\.chains) == [[0]])
  }

  @Test func aListHoldsNothingButSources() throws {
    try folder.write(
      "https://e.com/1.jpg card\ninclude u.txt\nclient nuke 12\nftp://x/y\nhello\n/ok.png\n/b\u{1}.png",
      to: "u.txt")
    let job = try job("include u.txt card")
    #expect(job.entries.map(\.url) == ["file:///ok.png"])
    #expect(job.errors.allSatisfy { $0.file == folder.path + "/u.txt" })
    #expect(
      job.errors.map { [$0.line, $0.column] } == [[1, 21], [2, 1], [3, 1], [4, 1], [5, 1], [7, 3]])
    #expect(job.errors.map(\.message).filter { $0.contains("cannot stand in a list") }.count == 2)
    #expect(job.errors[1].help == "lists include no other lists")
  }

  @Test func anOlderWordInAListIsShownAtItsPlace() throws {
    try folder.write("  timeout 5", to: "u.txt")
    let job = try job("include u.txt card")
    #expect(job.errors.map { [$0.line, $0.column] } == [[1, 3]])
  }

  /// Of a list only what can be a source is shown.
  @Test func bytesThatAreNotUTF8AreShownInAPath() throws {
    let lines = [("./t\u{0}te.png", "./t\\xE9te.png"), ("secret\u{0}", "")]
    for (text, shown) in lines {
      let bytes = Array(text.utf8).map { $0 == 0 ? 0xE9 : $0 }
      try Data(bytes).write(to: folder.file("u.txt"))
      try Data("[{\"u\": \"".utf8 + bytes + "\"}]".utf8).write(to: folder.file("u.json"))
      let job = try job("include u.txt card")
      #expect(job.errors.map(\.sourceLine) == [shown] && job.errors[0].message.contains("UTF-8"))
      #expect(try self.job("include u.json card url=u").errors.map(\.message)[0].contains("not valid UTF-8"))
    }
  }

  @Test func aListThatIsNotThereIsAnErrorAtItsName() throws {
    let job = try job("include no.txt card\ninclude lists card\n/1.png card")
    #expect(job.errors.map { [$0.line, $0.column] } == [[4, 9], [5, 9]])
    #expect(job.errors[0].message.hasSuffix("there is no such file"))
    #expect(job.errors[1].message.hasSuffix("it is a folder"))
  }
}
