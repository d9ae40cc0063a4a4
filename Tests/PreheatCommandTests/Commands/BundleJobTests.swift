import CacheStore
import Foundation
import Reporting
import Testing
import Text

@testable import Planning
@testable import PreheatCommand

/// A bundle of what a job names, where the last run has not made all of it.
@Suite(.timeLimit(.minutes(10))) struct BundleJobTests {
  private let scene: CommandScene
  private let job: String
  private let cache: String

  init() throws {
    scene = try CommandScene()
    job = try scene.job(lines: (1...8).map { "https://e.com/\($0).jpg original" })
    cache = try scene.cache(of: job)
  }

  /// Removes what a job line stores, and leaves a record that says why.
  private func lose(_ numbers: ClosedRange<Int>, _ failures: [RunFailure?]) throws {
    let plan = try #require(Plan.make(.file(job)).plan)
    var record = RunRecord(
      summary: RunSummary(program: "preheat", jobs: [job], started: 0, exit: 6, meaning: ""))
    for (number, failure) in zip(numbers, failures) {
      let rendition = try #require(plan.renditions.first { $0.line == number + 2 })
      for store in rendition.stores {
        try FileManager.default.removeItem(atPath: cache + "/" + store.fileName)
        try LedgerWriter(path: StateFolder(cache: cache).ledger).remove(files: [store.fileName])
      }
      var outcome = RenditionRecord(rendition, failure == nil ? .notStored : .failed, cache: cache)
      outcome.failure = failure
      record.renditions.append(outcome)
    }
    try KeptRecords(cache: cache).save(record)
  }

  private func bundle(_ arguments: String...) async throws -> Outcome {
    try await Outcome(of: ["bundle", cache, "--job", job, "-o", scene.path("b.zip")] + arguments)
  }

  private let dead = RunFailure(
    step: .fetch, code: "fetch.status", message: "HTTP 404 from e.com", advice: "check the URL")
  private let slow = RunFailure(
    step: .fetch, code: "fetch.timeout", message: "no answer from e.com", isRetryable: true)

  /// Two of eight: a quarter.
  @Test(arguments: ["none", "all", "3", "26%"]) func whatTheLastRunFailedAtIsLeftOut(limit: String)
    async throws
  {
    try lose(1...2, [dead, dead])
    try await bundle("--fail-on", limit).expect(
      0, "the last run failed at 2 of 8 renditions of \(job)",
      "2 × fetch: HTTP 404 from e.com (fetch.status)\n    check the URL\n",
      "\(job):3  https://e.com/1.jpg  original\n", prints: ": 6 files, ")
    let object = try #require(try await bundle("--fail-on", limit, "--json").objects().last)
    #expect(object["failed"] as? Int == 2)
  }

  @Test(arguments: [nil, "any", "2", "25%"]) func theyAreTooManyAsForARun(limit: String?) async throws {
    try lose(1...2, [dead, dead])
    try await Outcome(
      of: ["bundle", cache, "--job", job, "-o", scene.path("b.zip")]
        + (limit.map { ["--fail-on", $0] } ?? [])
    ).expect(
      2, "correct the lines above or remove them, or --fail-on 26% bundles the rest", lacks: "run it again")
    #expect(!scene.folder.has("b.zip"))
  }

  @Test func theAdviceIsThatOfTheCause() async throws {
    try lose(1...2, [slow, slow])
    #expect(try await bundle().messages.contains("; run it again, or --fail-on 26%"))
    try lose(3...4, [dead, slow])
    #expect(
      try await bundle().messages.contains("; run it again, and correct the lines above or remove them, or"))
  }

  /// Whatever is tolerated: a run would make it.
  @Test func whatNoRunFailedAtIsAlwaysMissing() async throws {
    try lose(1...1, [dead])
    let plan = try #require(Plan.make(.file(job)).plan)
    let last = try #require(plan.renditions.first { $0.line == 10 }?.fileName)
    try FileManager.default.removeItem(atPath: cache + "/" + last)
    try await bundle("--fail-on", "none").expect(
      6, " lacks 1 rendition of \(job) that",
      "such as \(job):10  https://e.com/8.jpg  original; preheat run \(job) makes it", lacks: last)
  }

  /// As a GIF of Kingfisher's, of which nothing goes to the disk.
  @Test func whatTheClientDoesNotStoreIsNotMissing() async throws {
    try lose(1...1, [nil])
    try await bundle().expect(0, prints: ": 7 files, ", lacks: "failed")
  }

  /// The record of a merge is that of its parts.
  @Test func aJoinedCacheKnowsWhatItsPartsFailedAt() async throws {
    try lose(1...2, [dead, dead])
    let joined = scene.path("joined")
    let other = try scene.cache(of: scene.job("b.job", cache: "b", lines: ["https://e.com/9.jpg original"]))
    try await scene.preheat("merge", other, cache, "-o", joined).expect(0)
    try await scene.preheat("bundle", joined, "--job", job, "-o", scene.path("b.zip"), "--fail-on", "3")
      .expect(0, "failed at 2 of 8")
  }

  @Test func withoutAJobThoseThatMadeTheCacheSayWhatGoesFirst() async throws {
    let size = try Data(contentsOf: URL(fileURLWithPath: cache + "/" + scene.names(cache)[0])).count
    let dropped = { (arguments: [String]) in
      try #require(
        try await Outcome(
          of: ["bundle", cache, "-o", scene.path("b.zip"), "--json", "--max-size", "\(3 * size)", "--drop"]
            + arguments
        ).objects().last?["dropped"] as? [String])
    }
    let names = try #require(Plan.make(.file(job)).plan).renditions.compactMap(\.fileName)
    #expect(try await dropped([]) == Array(names[3...].reversed()))
    #expect(try await dropped(["--job", job]) == Array(names[3...].reversed()))
    try FileManager.default.removeItem(atPath: job)
    try await scene.preheat("bundle", cache, "-o", scene.path("c.zip"), "--max-size", "\(3 * size)", "--drop")
      .expect(2, "cannot be read; name it with --job")
  }
}
