import Foundation
import JobSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct JobFileTextTests {
  private func read(_ bytes: [UInt8]) -> JobFileReading {
    JobFileReading(.text(name: "test.job", bytes: bytes))
  }

  @Test func lineEndsAndAByteOrderMarkDoNotMatter() {
    let text = JobFileReading.head + "\n  # comment\n\t\n/1.png card # comment\n/2.png card"
    let plain = JobFileReading(text)
    #expect(plain.diagnostics.isEmpty)
    let windows = read([0xEF, 0xBB, 0xBF] + Array(text.replacing("\n", with: "\r\n").utf8))
    #expect(windows.diagnostics.isEmpty)
    #expect(windows.entries.map(\.url) == plain.entries.map(\.url))
    #expect(windows.entries.map(\.line) == [7, 8])
  }

  @Test func aLineThatIsNoUTF8IsAnErrorAtItsByte() {
    let job = read(
      Array(JobFileReading.head.utf8) + Array("/ü".utf8) + [0xFF, 10] + Array("/2.png card".utf8))
    #expect(job.errors.map { [$0.line, $0.column] } == [[4, 3]])
    #expect(job.entries.count == 1)
  }

  @Test func aFileInUTF16IsOneError() throws {
    for mark: [UInt8] in [[0xFF, 0xFE], [0xFE, 0xFF]] {
      let job = read(mark + "client nuke 12\n/1.png\n".utf8.flatMap { [$0, 0] })
      #expect(job.errors.count == 1)
      #expect(try #require(job.errors.first).message.contains("UTF-16"))
    }
  }

  @Test func aLineOverOneMebibyteIsAnErrorAndTheNextOneCounts() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("a.job")
    let long = String(repeating: "x", count: 1 << 20)
    let fits = "data:image/png," + String(repeating: "x", count: (1 << 20) - 15)
    let text = JobFileReading.head + "/\(long) card\n\(fits)\n/2.png card\nhttps://e.com/\(long)"
    try Data(text.utf8).write(to: file)
    for job in [JobFileReading(.file(file.path)), JobFileReading(text)] {
      #expect(job.errors.map(\.line) == [4, 7])
      #expect(job.errors.map(\.message) == Array(repeating: "this line is longer than 1 MiB", count: 2))
      #expect(job.entries.map(\.line) == [5, 6])
    }
  }

  @Test func filesThatCannotBeReadSayWhy() throws {
    let folder = try TemporaryFolder()
    let missing = JobFileReading(.file(folder.path + "/none.job"))
    #expect(missing.errors.map { $0.message.hasSuffix("there is no such file") } == [true])
    #expect(
      JobFileReading(.file(folder.path)).errors.map { $0.message.hasSuffix("it is a folder") } == [true])
    #expect(missing.settings == nil)
  }

  /// A log of a CI system carries out what looks like a command of its own.
  @Test(arguments: [
    "::error::mine", "  ::error::mine", "/a##[error]mine crad", "x ##VSO[task.x]",
    "/a crad ##[x]",
  ])
  func anExcerptIsNoCommand(line: String) {
    let shown = JobFileReading(JobFileReading.head + line).diagnostics.rendered()
    #expect(
      !shown.isEmpty && !shown.lowercased().contains("##[") && !shown.lowercased().contains("##vso["),
      "\(shown)")
    for line in shown.split(separator: "\n") {
      #expect(!line.drop { $0.isWhitespace }.hasPrefix("::"), "\(shown)")
    }
  }
}
