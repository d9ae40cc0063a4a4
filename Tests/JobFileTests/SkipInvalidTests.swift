import JobSupport
import TestSupport
import Testing

@testable import JobFile

/// One wrong line does not stop a job that says so.
@Suite(.timeLimit(.minutes(10)))
struct SkipInvalidTests {
  private static let head = JobFileReading.head + "skip-invalid on\n"

  @Test(arguments: [
    ("ftp://e.com/1.jpg card", SkippedLine.Code.source),
    ("https:///1.jpg card", .source),
    ("https://e.com/1.jpg cadr", .chains),
    ("https://e.com/1.jpg card priority=loud", .chains),
    ("https://e.com/1.jpg card id=\"a", .chains),
    ("https://e.com/my photo.jpg card", .space),
    ("img.example.com/1.jpg card", .source),
    ("N/A", .source), ("NULL", .source), ("null", .source), ("-", .source),
    ("https://e.com/\u{7}.jpg card", .text),
  ])
  func aWrongLineIsLeftOut(line: String, code: SkippedLine.Code) throws {
    let text = "https://e.com/a.jpg card\n\(line)\nhttps://e.com/b.jpg card\n"
    let job = JobFileReading(Self.head + text)
    #expect(job.errors.isEmpty, "\(job.errors)")
    #expect(job.entries.map(\.url) == ["https://e.com/a.jpg", "https://e.com/b.jpg"])
    let skipped = try #require(job.skipped.lines.first)
    #expect(job.skipped.count == 1 && skipped.code == code && skipped.diagnostic.line == 6)
    // Without the setting the same line stops the job, with the same words.
    let strict = JobFileReading(JobFileReading.head + text)
    #expect(strict.skipped.isEmpty)
    #expect(strict.errors.contains { $0.message == skipped.diagnostic.message && $0.line == 5 })
  }

  @Test(arguments: [
    "scale two", "chain list = resise(width: 3)", "colour blue", "clientt nuke 12", "headre e.com A: b",
    "include urls.txt cadr", "include no-such-file.txt card", "max-pixels",
  ])
  func aWrongSettingStopsTheJobAllTheSame(line: String) {
    let job = JobFileReading(Self.head + "\(line)\nhttps://e.com/a.jpg card\n")
    #expect(job.errors.map(\.line) == [5], "\(job.errors)")
    #expect(job.skipped.isEmpty)
  }

  @Test(arguments: ["colour blue", "clientt nuke 12", "headre e.com A: b", "sold out"])
  func belowASourceItIsAWrongLine(line: String) {
    let job = JobFileReading(Self.head + "https://e.com/a.jpg card\n\(line)\n")
    #expect(job.errors.isEmpty, "\(job.errors)")
    #expect(job.skipped.lines.map(\.code) == [.source])
  }

  @Test func aPlainListIsReadWithTheSettingsOfTheCommandLine() {
    let overrides = GivenSettings(["client": ["nuke 12"], "cache": ["out"], "skip-invalid": ["on"]])
    let job = JobFileReading("https://e.com/a.jpg\nsold out\nhttps://e.com/b.jpg\n", overrides: overrides)
    #expect(job.errors.isEmpty && job.entries.count == 2 && job.skipped.count == 1)
    #expect(
      JobFileReading("scale 2\nsold out\nhttps://e.com/b.jpg\n", overrides: overrides).errors.count == 1)
    // Nothing but wrong words is no list; a wrong source is.
    #expect(
      JobFileReading("sold out\n", overrides: overrides).errors.map(\.message) == [
        "'sold' is not a setting", "the job names no source",
      ])
    let list = JobFileReading("image,sku\nhttps://e.com/a.jpg\n", overrides: overrides)
    #expect(list.errors.isEmpty && list.entries.count == 1 && list.skipped.count == 1)
  }

  @Test func linesOfAListAreLeftOutWithTheirPlace() throws {
    let folder = try TemporaryFolder()
    try "https://e.com/1.jpg\nhttps://e.com/a b.jpg\nnot a URL\nscale 2\n\nhttps://e.com/2.jpg card\n"
      .write(to: folder.file("urls.txt"), atomically: true, encoding: .utf8)
    try (Self.head + "include urls.txt card\n").write(
      to: folder.file("test.job"), atomically: true, encoding: .utf8)
    let job = JobFileReading(.file(folder.file("test.job").path))
    #expect(job.errors.isEmpty, "\(job.errors)")
    #expect(job.entries.map(\.url) == ["https://e.com/1.jpg"])
    #expect(job.skipped.lines.map(\.diagnostic.line) == [2, 3, 4, 6])
    #expect(job.skipped.lines.map(\.code) == [.space, .source, .source, .source])
    #expect(job.skipped.lines.allSatisfy { $0.diagnostic.file.hasSuffix("urls.txt") })
  }

  @Test func memoryDoesNotGrowWithTheNumberOfWrongLines() {
    let count = SkippedLines.limit + 1234
    let job = JobFileReading(Self.head + String(repeating: "ftp://e.com/1\n", count: count))
    #expect(job.skipped.count == count && job.skipped.lines.count == SkippedLines.limit)
    #expect(job.skipped.omitted == 1234 && job.errors.isEmpty)
  }

  @Test func noSecretOfAWrongLineIsKept() throws {
    let job = JobFileReading(
      Self.head + "https://e.com/1.jpg?token=S3CRET cadr\nhttps://me:S3CRET@e.com/1.jpg cadr\n"
        + "Authorization:Bearer S3CRET\nhttps://e.com/a b.jpg?token=S3CRET card\n")
    #expect(job.skipped.count == 4)
    #expect(!"\(job.skipped.lines)".contains("S3CRET"), "\(job.skipped.lines)")
  }
}
