import JobSupport
import Testing

@testable import JobFile
@testable import Planning

/// One download for all that is the same to a server, the most urgent first.
@Suite(.timeLimit(.minutes(10)))
struct SourceWorkTests {
  private func works(_ jobs: String...) throws -> [SourceWork] {
    Array(
      SourceWork.collect(
        try jobs.map { try #require(Preheat.plan("client nuke 12\ncache o\n\($0)").plan) }))
  }

  @Test func fragmentsStayWithTheClient() throws {
    let works = try works(
      "https://e.com/1.jpg#a circle\nhttps://e.com/1.jpg#b circle\nhttps://e.com/1.jpg circle")
    #expect(works.map(\.url) == ["https://e.com/1.jpg"])
    #expect(works[0].parts.count == 3)
    let data = try self.works("data:image/svg+xml,<svg/>%23a circle\n/a%23.png circle")
    #expect(data.count == 2)
  }

  @Test func jobsShareADownloadUnlessTheirHeadersOrPermissionsDiffer() throws {
    let url = "https://e.com/1.jpg circle"
    #expect(try works(url, url).count == 1)
    #expect(try works(url, "header e.com X-A: 1\n\(url)").count == 2)
    #expect(try works(url, "allow-private e.com\n\(url)").count == 2)
    #expect(try works("header e.com X-A: 1\n\(url)", "header e.com X-A: 1\n\(url)").count == 1)
    // A redirect may lead to the other host.
    let other = try works(url, "header other.org X-A: 1\n\(url)")
    #expect(other.count == 2)
    #expect(try works(url, "header other.org Cookie: a=1\n\(url)").count == 1)
  }

  @Test func theMostUrgentOfAllJobsComesFirst() throws {
    let works = try works(
      "https://e.com/1.jpg circle priority=low\nhttps://e.com/2.jpg circle",
      "https://e.com/3.jpg circle priority=veryHigh\nhttps://e.com/1.jpg circle priority=high")
    #expect(works.map { $0.url.suffix(5) } == ["3.jpg", "1.jpg", "2.jpg"])
  }

  @Test func aJobWithoutPrioritiesKeepsItsOrder() throws {
    let works = try works(
      "https://e.com/2.jpg circle\nhttps://e.com/1.jpg circle", "https://e.com/0.jpg circle")
    #expect(works.map { $0.url.suffix(5) } == ["2.jpg", "1.jpg", "0.jpg"])
  }

  @Test(arguments: [
    ("https://img.example.com/a", 1), ("https://IMG.example.com:8443/a", 1),
    ("https://u:p@img.example.com/a", 1),
    ("https://img.example.com.evil.org/a", 0), ("https://evil.org/?@img.example.com", 0),
    ("https://evil.org#@img.example.com", 0), ("https://other.org:81/a", 1), ("https://other.org/a", 0),
  ])
  func headersGoToTheirHostOnly(url: String, count: Int) {
    let rules = ["img.example.com", "other.org:81"].map {
      HostHeader(host: $0, name: "Authorization", value: "x")
    }
    #expect(rules.headers(for: url).count == count)
  }
}
