import JobSupport
import Testing

@testable import JobFile

/// URLs that are valid and hardly meant, and paths that no shell has read.
@Suite(.timeLimit(.minutes(10)))
struct OddSourceTests {
  private func warnings(_ lines: String) -> [String] {
    let job = JobFileReading(JobFileReading.head + lines)
    #expect(job.errors == [], "\(lines)")
    return job.warnings.map(\.message).filter { $0.hasPrefix("this URL") || $0.hasPrefix("the port") }
  }

  @Test(arguments: [
    ("https://https://e.com/1.jpg", "begins with its scheme twice"), ("http://https://e.com/1.jpg", "twice"),
    ("https://e.com:99999/1.jpg", "above 65535"), ("https://e.com:65536/", "above 65535"),
    ("https://e.com/1.jpg?a=1&amp;b=2", "'&amp;'"), ("https://e.com/1.jpg,", "ends with a comma"),
    ("https://e.com/1.jpg?a=1,", "ends with a comma"),
  ])
  func whatIsHardlyMeantIsALint(url: String, text: String) {
    let found = warnings("\(url) card")
    #expect(found.count == 1 && found[0].contains(text), "\(found)")
    // Once, however many lines have it.
    #expect(warnings("\(url) card\n\(url)x?y card\n\(url) circle").filter { $0.contains(text) }.count == 1)
  }

  @Test(arguments: [
    "https://e.com/1.jpg", "https://e.com:65535/1.jpg", "https://e.com/1,2.jpg",
    "https://e.com/?u=https://f.com/",
    "https://e.com/1.jpg?a=1&amp=2&b=3", "https://e.com/a:99999",
    "https://[2001:db8::1]/1.jpg",
  ])
  func whatIsUsualIsNot(url: String) { #expect(warnings("\(url) card") == []) }

  /// The usual URL of a file, which Foundation is not asked about, and one that it is.
  @Test(arguments: ["file:///srv/a-1/b_2.jpg", "file:///srv/a%201/../b.jpg"])
  func aFileIsNamedAsTheAppNamesIt(url: String) {
    let job = JobFileReading("client nuke 12\ncache out\n\(url) original\nfile://host/a.jpg original")
    #expect(job.entries.map(\.url) == [url] && job.errors.map(\.line) == [4])
  }

  @Test(arguments: ["${HOME}/out", "$HOME/out", "out/${NAME}"])
  func aPathHasNoVariables(path: String) {
    let job = JobFileReading("client nuke 12\ncache \(path)\nhttps://e.com/1.jpg")
    #expect(job.errors.count == 1 && job.errors[0].message.contains("a path has no variables"))
    let given = GivenSettings(["cache": [path]])
    let flag = JobFileReading("client nuke 12\nhttps://e.com/1.jpg", overrides: given)
    #expect(flag.errors.count == 1 && flag.errors[0].message.contains("a path has no variables"))
  }

  @Test func aDollarInANameIsOne() {
    #expect(JobFileReading("client nuke 12\ncache out/a$b\nhttps://e.com/1.jpg").errors == [])
  }
}
