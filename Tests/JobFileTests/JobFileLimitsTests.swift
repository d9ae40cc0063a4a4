import JobSupport
import Planning
import Testing

@testable import Pictures

@Suite(.timeLimit(.minutes(10)))
struct JobFileLimitsTests {
  private static let head = "client nuke 12\ncache o\n"

  @Test func everyLimitIsReadAndLaidOverTheDefaults() throws {
    let job = JobFileReading(
      Self.head + """
        max-pixels 80000000
        max-side 20000
        max-animation-pixels 7
        max-bytes 20M
        max-memory 1G
        render-timeout 2.5
        /1.png
        """)
    #expect(job.diagnostics.isEmpty, "\(job.diagnostics.rendered())")
    let limits = try #require(job.settings).values.limits()
    #expect(
      limits
        == RenderLimits(
          maxPixels: 80_000_000, maxSide: 20_000, maxAnimationPixels: 7, maxBytes: 20 << 20,
          maxDecodeBytes: 960 << 20, seconds: 2.5))
  }

  @Test func whatNobodySaysStaysAsItIs() throws {
    let settings = try #require(JobFileReading(Self.head + "/1.png").settings)
    let base = RenderLimits(maxPixels: 5, maxSide: 4, seconds: 3)
    #expect(settings.values.limits(over: base) == base)
  }

  @Test(arguments: [
    "max-pixels", "max-side", "max-animation-pixels", "max-bytes", "max-memory", "render-timeout",
  ])
  func whatMakesNoSenseIsRefusedByName(name: String) {
    for value in ["0", "-1", "many", "1e99", "99999999999999999999"] {
      let job = JobFileReading(Self.head + "\(name) \(value)\n/1.png")
      #expect(job.errors.count == 1 && job.errors[0].line == 3, "\(name) \(value)")
      #expect(job.errors.first?.message.hasPrefix("\(name) is a") == true)
    }
  }

  @Test func jobsWithOtherLimitsDoNotShareASource() throws {
    let plans = try ["max-pixels 9", "max-pixels 8", "max-pixels 9"].enumerated().map { index, limit in
      try #require(Preheat.plan("client nuke 12\ncache o\(index)\n\(limit)\nhttps://e.com/1.jpg").plan)
    }
    #expect(SourceWork.collect(plans).map { $0.parts.map(\.plan) } == [[0, 2], [1]])
  }
}
