import JobSupport
import Testing

@testable import JobFile

/// `http-cache`, `stale-if-error`, `check`.
@Suite(.timeLimit(.minutes(10)))
struct JobFileSourceSettingsTests {
  @Test(
    arguments: [
      ("", 150 << 20, 0, .structure), ("http-cache 300M", 300 << 20, 0, .structure),
      ("http-cache 64k", 64 << 10, 0, .structure), ("http-cache off", nil, 0, .structure),
      ("stale-if-error 90s", 150 << 20, 90, .structure), ("stale-if-error 15m", 150 << 20, 900, .structure),
      ("stale-if-error 2h", 150 << 20, 7200, .structure),
      ("stale-if-error 1d", 150 << 20, 86_400, .structure),
      ("stale-if-error off", 150 << 20, 0, .structure), ("check decode", 150 << 20, 0, .decode),
    ] as [(String, Int?, Int, OriginalCheck)])
  func valuesAreRead(line: String, cache: Int?, stale: Int, check: OriginalCheck) throws {
    let job = JobFileReading("client nuke 12\ncache o\n\(line)\n/1.png original")
    let values = try #require(job.settings).values
    #expect(values[JobKey.httpCache] == cache && values[JobKey.staleIfError] == stale)
    #expect(job.errors.isEmpty && values[JobKey.check] == check)
  }

  @Test(arguments: [
    "http-cache many", "http-cache 0", "http-cache 1M 2M", "stale-if-error 1", "stale-if-error d",
    "stale-if-error -1d", "stale-if-error 0s", "check", "check decod", "check decode\ncheck decode",
  ])
  func nonsenseIsAnError(line: String) {
    let planned = Preheat.plan("client nuke 12\ncache o\n\(line)\n/1.png original")
    #expect(planned.plan == nil)
    #expect(planned.errors.count == 1)
  }
}
