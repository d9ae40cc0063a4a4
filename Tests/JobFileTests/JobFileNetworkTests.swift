import JobSupport
import Testing

@testable import JobFile

@Suite("Settings about hosts", .timeLimit(.minutes(10)))
struct JobFileNetworkTests {
  private static let keys = ["AWS_ACCESS_KEY_ID": "AKID", "AWS_SECRET_ACCESS_KEY": "SECRET"]

  private func reading(_ line: String, _ environment: [String: String] = keys) -> JobFileReading {
    JobFileReading("client nuke 12\ncache o\n\(line)\n/1.png", environment: environment)
  }

  @Test(arguments: [
    ("10/s", nil, 10, 1), ("* 10/s", nil, 10, 1), ("30/m burst=5", nil, 0.5, 5),
    ("IMG.e.com 0.5/s", "img.e.com", 0.5, 1),
    ("*.e.com:81 7200/h burst=2 # polite", "*.e.com:81", 2, 2), ("[::1]:80 1/s", "[::1]:80", 1, 1),
  ])
  func aRateIsRead(text: String, host: String?, rate: Double, burst: Int) throws {
    let job = reading("rate-limit \(text)")
    #expect(job.errors.isEmpty, "\(job.diagnostics.rendered())")
    #expect(
      try #require(job.settings).values[JobKey.rateLimit] == [
        .init(host: host, requestsPerSecond: rate, burst: burst)
      ])
  }

  @Test(arguments: [
    "rate-limit 10", "rate-limit h", "rate-limit h 10", "rate-limit 0/s", "rate-limit -1/s", "rate-limit 1/d",
    "rate-limit 1/s burst=0", "rate-limit 1/s burst", "rate-limit 1/s burst=2 x", "rate-limit http://h 1/s",
    "per-host 0", "per-host x", "per-host 2 3", "per-host 1025", "aws-sigv4", "aws-sigv4 h",
    "aws-sigv4 h aws:amz:x",
    "aws-sigv4 h aws:amz::s3", "aws-sigv4 h aws:amz:x:s3 y", "aws-sigv4 *.h aws:amz:x:s3",
    "aws-sigv4 h aws:amz:x\":s3",
  ])
  func aLineThatSaysItWronglyIsAnErrorAtItsPlace(line: String) throws {
    let error = try #require(reading(line).errors.first)
    #expect(error.line == 3)
    #expect(error.help?.isEmpty == false)
  }

  @Test func aSignatureNeedsItsCredentialsAndShowsNone() throws {
    let line = "aws-sigv4 b.s3.example aws:amz:eu-west-1:s3"
    #expect(
      try #require(reading(line).settings).values[JobKey.signature] == [
        .init(host: "b.s3.example", scope: "aws:amz:eu-west-1:s3")
      ])
    let missing = reading(line, ["AWS_ACCESS_KEY_ID": "AKID"])
    #expect(missing.errors.count == 1)
    #expect(!missing.diagnostics.rendered().contains("AKID"))
  }

  @Test func flagsAndVariablesGoBeforeTheJob() throws {
    let overrides = GivenSettings(["rate-limit": ["5/s", "h 1/s burst=3"], "per-host": ["9"]])
    let text = "client nuke 12\ncache o\nper-host 2\nrate-limit h 2/s\n/1.png"
    let job = JobFileReading(text, overrides: overrides)
    #expect(job.settings?.values[JobKey.perHost] == 9)
    #expect(job.settings?.values[JobKey.rateLimit].map(\.requestsPerSecond) == [5, 1, 2])
    let outer = JobFileReading(
      text, environment: ["PREHEAT_PER_HOST": "3", "PREHEAT_RATE_LIMIT": "4/s\n* 3/s"])
    #expect(outer.settings?.values[JobKey.perHost] == 3)
    #expect(outer.settings?.values[JobKey.rateLimit].map(\.requestsPerSecond) == [4, 3, 2])
  }
}
