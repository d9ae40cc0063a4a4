import Foundation
import JobSupport
import TestSupport
import Testing

@testable import JobFile

/// Settings and chains stand above the first line that names a source, and a job is read once.
@Suite(.timeLimit(.minutes(10)))
struct JobHeadTests {
  private func places(_ job: JobFileReading) -> [String] {
    job.errors.map { "\($0.line):\($0.column): \($0.message) | \($0.help ?? "")" }
  }

  @Test(arguments: [
    "https://e.com/1.jpg card", "/1.jpg", "./1.jpg card", "include urls.txt card", "ftp://e.com/1.jpg",
    "img.example.com/1.jpg", "https://e.com/\u{7}.jpg",
  ])
  func aSettingBelowASourceHasToMove(first: String) {
    let lines = "\(first)\n\n  scale 2\n# note\nchain list = circle\nchain list =\nhttps://e.com/2.jpg list\n"
    let told = places(JobFileReading(JobFileReading.head + lines + "policy nonsense\n"))
    let help = "move it above line 4: settings and chains come first"
    #expect(
      told == [
        "6:3: 'scale' stands below a source | \(help)", "8:1: 'chain' stands below a source | \(help)",
        "9:1: 'chain' stands below a source | \(help)", "11:1: 'policy' stands below a source | \(help)",
      ])
  }

  @Test func allSuchErrorsAreCountedAndTheHeadsAreThereToo() {
    let lines = "scale two\n/1.jpg nosuchchain\n" + String(repeating: "chain a = circle\n", count: 60)
    let job = JobFileReading(JobFileReading.head + lines)
    #expect(job.diagnostics.errorCount == 61 && job.errors.count == 51)
    #expect(job.errors.first?.line == 4 && !job.errors.contains { $0.line == 5 })
  }

  @Test func skippingLinesSkipsNoSettings() {
    let job = JobFileReading(JobFileReading.head + "skip-invalid on\n/1.jpg card\nscale 2\nnonsense x\n")
    #expect(job.errors.map(\.line) == [6] && job.skipped.lines.map(\.diagnostic.line) == [7])
  }

  @Test func aSecretBelowASourceIsNotShown() {
    let job = JobFileReading(JobFileReading.head + "/1.jpg card\nheader e.com Authorization: S3CRET\n")
    #expect(job.errors.count == 1 && !job.diagnostics.rendered().contains("S3CRET"))
  }

  @Test(arguments: [
    "colour blue", "Scale 2", "clientt", "scale: 2", "prun", "nonsense \u{7}", "# a comment \u{7}",
  ])
  func aWrongLineOfTheHeadStopsTheJob(line: String) {
    for skip in ["", "skip-invalid on\n"] {
      let job = JobFileReading(JobFileReading.head + skip + line + "\nscale 2\n/1.jpg card\n")
      #expect(job.errors.map(\.line) == [skip.isEmpty ? 4 : 5], "\(places(job))")
      #expect(job.skipped.isEmpty && job.settings?.scales == [2])
    }
  }

  @Test func theHeadIsKnownBeforeTheLines() throws {
    let job = JobReader(.text(name: "a.job", bytes: Array((JobFileReading.head + "/1.jpg card\n").utf8)))
    #expect(job.head.settings?.cache.hasSuffix("/out") == true && !job.head.diagnostics.hasErrors)
    #expect(job.head.chains.rows.map(\.label) == ["card"])
    var lines: [Int] = []
    #expect(job.read { line, _ in lines.append(line.line) } == .end)
    #expect(lines == [4])
  }

  @Test func aLineInPlaceOfTheJobsOwnLeavesThemToBeRead() {
    let job = JobReader(
      .text(name: "a.job", bytes: Array((JobFileReading.head + "skip-invalid on\n/1.jpg card\n").utf8)))
    var found: [String] = []
    let wrong = job.read(inPlace: "/2.jpg crad", file: "(arguments)") { line, _ in found.append(line.url) }
    #expect(wrong.diagnostics.errorCount == 1 && found.isEmpty)
    let right = job.read(inPlace: "/3.jpg circle", file: "(arguments)") { line, _ in found.append(line.url) }
    #expect(!right.diagnostics.hasErrors && right.chains.rows.map(\.label) == ["card", "circle"])
    #expect(job.read { line, _ in found.append(line.url) } == .end)
    #expect(found == ["file:///3.jpg", "file:///1.jpg"] && job.skipped.isEmpty)
  }

  @Test func aPipeIsEnough() throws {
    let folder = try TemporaryFolder()
    let pipe = folder.file("pipe").path
    #expect(mkfifo(pipe, 0o600) == 0)
    let urls = (0..<20_000).map { "https://e.com/\(String(repeating: "p", count: $0 % 97))/\($0).jpg" }
    let lines = urls.enumerated().map { "\($1) card\($0 % 3 == 0 ? "\r\n" : "\n")" }
    let text = JobFileReading.head + lines.joined()
    let writer = Thread {
      guard let file = FileHandle(forWritingAtPath: pipe) else { return }
      try? file.write(contentsOf: Data(text.utf8))
      try? file.close()
    }
    writer.start()
    let job = JobFileReading(.file(pipe))
    #expect(job.diagnostics.isEmpty && job.entries.map(\.url) == urls)
    #expect(job.entries.last?.line == 20_003)
  }

  @Test func aStreamStopsWhereItWouldWait() throws {
    let lines = (0..<100).map { "/\($0).jpg card\n" }.joined() + "scale 2\nnonsense\ninclude none.txt card\n"
    var given = GivenSettings()
    given.isStream = true
    let job = JobReader(.text(name: "-", bytes: Array((JobFileReading.head + lines).utf8)), given)
    var count = 0
    #expect(job.read { _, _ in count += 1 } == .pause && count == 64)
    job.forget()
    #expect(job.read { _, _ in count += 1 } == .end && count == 100)
    #expect(job.skipped.lines.map(\.diagnostic.line) == [104, 105, 106])
    #expect(!job.diagnostics.hasErrors && job.head.settings?.given.isStream == true)
  }

  @Test func aBrokenCatalogueCostsAStreamItsOwnRowsAlone() throws {
    let folder = try TemporaryFolder()
    try folder.write("[{\"u\": \"https://e.com/1.jpg\"}, {\"u\"", to: "feed.json")
    let feed = folder.path + "/feed.json"
    let lines = "include \(feed) url=u card\ninclude \(feed) url=u no(1) where=x\n/2.jpg card\n"
    var given = GivenSettings()
    given.isStream = true
    let job = JobReader(.text(name: "-", bytes: Array((JobFileReading.head + lines).utf8)), given)
    var urls: [String] = []
    #expect(job.read { line, _ in urls.append(line.url) } == .end && !job.diagnostics.hasErrors)
    #expect(urls == ["https://e.com/1.jpg", "file:///2.jpg"])
    #expect(job.skipped.lines.map { "\($0.diagnostic.file):\($0.diagnostic.line)" } == ["\(feed):2", "-:5"])
  }

  @Test func aStreamMayHaveNoLines() {
    var given = GivenSettings()
    given.isStream = true
    let job = JobReader(.text(name: "-", bytes: Array(JobFileReading.head.utf8)), given)
    #expect(job.read { _, _ in } == .end && !job.diagnostics.hasErrors)
  }
}
