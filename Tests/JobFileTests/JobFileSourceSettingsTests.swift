import JobSupport
import Testing

@testable import JobFile

/// `http-cache`, `stale-if-error`, `check`.
@Suite(.timeLimit(.minutes(10)))
struct JobFileSourceSettingsTests {
  private func settings(
    _ lines: String, overrides: GivenSettings = GivenSettings(), environment: [String: String] = [:]
  ) -> JobSettings? {
    Preheat.plan(
      "client nuke 12\ncache o\n\(lines)\n/1.png original", overrides: overrides, environment: environment
    ).plan?.settings
  }

  @Test func whatIsNotSaidHasItsDefault() {
    #expect(settings("")?.values[JobKey.httpCache] == 150 << 20)
    #expect(
      settings("")?.values[JobKey.staleIfError] == 0 && settings("")?.values[JobKey.check] == .structure)
  }

  @Test(arguments: [("300M", 300 << 20), ("64k", 64 << 10), ("off", nil)] as [(String, Int?)])
  func theHTTPCacheHasASizeOrIsOff(text: String, size: Int?) throws {
    #expect(try #require(settings("http-cache \(text)")).values[JobKey.httpCache] == size)
    var overrides = GivenSettings()
    overrides["http-cache"] = text
    #expect(try #require(settings("http-cache 1M", overrides: overrides)).values[JobKey.httpCache] == size)
    #expect(
      try #require(settings("http-cache 1M", environment: ["PREHEAT_HTTP_CACHE": text])).values[
        JobKey.httpCache] == size)
  }

  @Test(arguments: [("90s", 90), ("15m", 900), ("2h", 7200), ("1d", 86_400), ("off", 0)])
  func timesHaveAUnit(text: String, seconds: Int) {
    #expect(settings("stale-if-error \(text)")?.values[JobKey.staleIfError] == seconds)
  }

  @Test func originalsAreCheckedAsTheJobSays() {
    #expect(settings("check decode")?.values[JobKey.check] == .decode)
    #expect(
      settings("check decode", environment: ["PREHEAT_CHECK": "structure"])?.values[JobKey.check]
        == .structure)
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
