import Testing

@testable import Sessions

/// Sessions that took minutes where something was looked for anew in each of their lines.
@Suite("Long sessions", .timeLimit(.minutes(2)))
struct LongSessionTests {
  private static let count = 20_000
  private static let resize = "com.github.kean/nuke/resize?s=(100.0, "
  private static let fit = ".0),cm=.aspectFit,crop=false,upscale=false"

  private func job(_ requests: [RecordedRequest]) throws -> KeyJob {
    try #require(KeyJob.make(from: requests, RoundTrip.overrides(["client": "nuke 12"])).job)
  }

  @Test func eachLineMayLeaveOutAnItemOfItsOwn() throws {
    let requests = (0..<Self.count).map { number in
      let url = "https://e.com/\(number).jpg"
      return RecordedRequest(key: url, url: "\(url)?t\(number)=1")
    }
    let job = try job(requests)
    #expect(job.refusals.isEmpty && job.sourceCount == Self.count)
    #expect(job.text.contains("strip-query t0 t1 t2 "))
  }

  @Test func allLinesMayBeRefused() throws {
    // The one by its source, the other by its chain.
    let hostless = (0..<Self.count).map {
      RecordedRequest(key: "https:///\($0).jpgcom.github.kean/nuke/circle")
    }
    let endless = (0..<1000).map { number in
      RecordedRequest(
        key: "https://e.com/a.jpg\(Self.resize)\(number + 10)\(Self.fit)"
          + String(repeating: "com.github.kean/nuke/circle?border=nil", count: 65))
    }
    let job = try job(hostless + endless)
    #expect(job.refusals.count == hostless.count + endless.count && job.sourceCount == 0)
    #expect(Set(job.refusals.map(\.reason)).count == 2)
  }

  @Test func allChainsMayHaveOneName() throws {
    let requests = (0..<Self.count).map {
      RecordedRequest(key: "https://e.com/\($0).jpg\(Self.resize)10\(Self.fit)own\($0)")
    }
    let job = try job(requests)
    #expect(job.refusals.isEmpty && job.chainCount == Self.count)
  }

  @Test func aSourceMayHaveManyChains() throws {
    let requests = (0..<5000).map {
      RecordedRequest(key: "https://e.com/a.jpg\(Self.resize)\($0 + 10)\(Self.fit)")
    }
    let job = try job(requests)
    #expect(job.refusals.isEmpty && job.sourceCount == 1 && job.lines.map(\.keys.count) == [5000])
    // No line is as long as all of them.
    #expect(job.text.split(separator: "\n").count { $0.hasPrefix("https://") } == 5)
  }
}
