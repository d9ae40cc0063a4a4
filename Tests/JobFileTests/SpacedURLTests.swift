import JobSupport
import Testing

/// White space in a URL is called so, once, with what cures it.
@Suite(.timeLimit(.minutes(10)))
struct SpacedURLTests {
  @Test(arguments: [
    "https://e.com/my photo.jpg card", "https://e.com/my summer photo.jpg card",
    "https://e.com/a b/c d.jpg", "https://e.com/search?q=a b&w=3 card", "https://e.com/100 %25.png card",
    "https://e.com/photo (1).jpg card", "./my photo.jpg card",
    "https://e.com/my photo.jpg resize(width: 32) id=a.jpg  # of 1.jpg",
  ])
  func oneMessageSaysSo(line: String) throws {
    let job = JobFileReading(JobFileReading.head + line + "\n")
    let error = try #require(job.errors.first)
    #expect(job.errors.count == 1, "\(job.errors)")
    #expect(error.message.contains("has white space in it"), "\(error.message)")
    let help = try #require(error.help)
    #expect(help.contains("double quotes"))
    // A path is no URL: there %20 would be three characters.
    #expect(help.contains("%20") != line.hasPrefix("."))
  }

  @Test(arguments: [
    "https://e.com/1.jpg cadr", "https://e.com/1.jpg card priority=loud",
    "https://e.com/1.jpg resise(width: 3)",
    "https://e.com/1.jpg https://e.com/2.jpg", "https://e.com/1.jpg card sha256=a.jpg",
    "https://e.com/1.jpg resize(width: 3.jpg)", "\"https://e.com/1.jpg\" b.jpg",
    "https://e.com/1.jpg crad circel",
  ])
  func otherMistakesKeepTheirOwnWords(line: String) {
    let job = JobFileReading(JobFileReading.head + line + "\n")
    #expect(!job.errors.isEmpty)
    #expect(!job.errors.contains { $0.message.contains("white space") }, "\(job.errors)")
  }
}
