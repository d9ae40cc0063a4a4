import Foundation
import JobFile
import JobSupport
import TestSupport
import Testing
import Text

@testable import Planning

/// The job of what failed has the keys of the failed renditions, and is safe to hand around.
@Suite(.timeLimit(.minutes(10)))
struct FailureJobTests {
  private func keys(_ plan: Plan) -> [String] { plan.renditions.map(\.key).sorted() }

  private func job(
    _ plan: Plan, failing: (PlannedRendition) -> Bool, _ message: String = "https://e.com: no"
  ) -> String {
    var failed = FailedChains()
    let failure = RunFailure(
      step: .fetch, code: "fetch.status", message: message, cause: "HTTP 404 from e.com")
    for rendition in plan.renditions where failing(rendition) { failed.add(rendition, failure) }
    return FailureJob(plan, failed: failed).text
  }

  private static let text = """
    client nuke 12
    cache out/c
    scale 3
    chain card = resize(width: 320) | circle encode=webp(quality: 70)
    chain list = card | gaussianBlur(radius: 3)
    default card
    strip-query token
    header e.com Authorization: Bearer ${TOKEN}
    skip-invalid on
    prune on
    https://e.com/1.jpg?token=s3cret card list "resize(width: 3)"
    https://e.com/2.jpg resize(width: 100) | circle original priority=veryHigh reload
    "https://e.com/my photo.jpg"
    https://e.com/4.jpg list id="a \\"b\\" # c" sha256=\(String(repeating: "a", count: 64))
    https://e.com/5.jpg encode=jpeg(quality: 90, progressive: true, chroma: 444, fitBytes: 40K) embedded=prefer
    https://e.com/6.jpg encode=webp(lossless: true) noDiskWrite noDiskRead
    https://e.com/7.jpg card offline encode=keep
    "./local picture.jpg" card
    https://e.com/é.jpg card
    """.replacing("\"resize(width: 3)\"", with: "resize(width: 3)")

  private static let environment = ["TOKEN": "t0ps3cret"]

  private func plan(_ text: String, overrides: GivenSettings = GivenSettings()) throws -> Plan {
    let planned = Preheat.plan(text, overrides: overrides, environment: Self.environment)
    return try #require(planned.plan, "\(planned.errors)\n\(text)")
  }

  @Test func itsPlanHasTheKeysOfAllThatFailed() throws {
    let whole = try plan(Self.text)
    let again = try plan(job(whole) { _ in true })
    #expect(keys(again) == keys(whole))
    #expect(again.settings.cache == whole.settings.cache)
    let files = { (plan: Plan) in plan.renditions.map { $0.stores.map(\.fileName) }.flatMap { $0 }.sorted() }
    #expect(files(again) == files(whole))
    let identities = { (plan: Plan) in
      plan.rows.map { row in
        let task = plan.task(at: row, session: 0)
        return task.rendition.stores.map {
          RenditionTask.identity(content: $0.content, output: task.output, sha256: task.options.sha256)
        }.joined()
      }.sorted()
    }
    // The same drawing and encoding: a run of it makes the bytes that the job would have made.
    #expect(identities(again) == identities(whole))
    #expect(again.settings.values[JobKey.header] == whole.settings.values[JobKey.header])
  }

  @Test(arguments: ["card", "list", "original", "resize(width: 3)"])
  func itsPlanHasThoseChainsAloneThatFailed(chain: String) throws {
    let whole = try plan(Self.text)
    let again = try plan(job(whole) { $0.chain == chain })
    #expect(keys(again) == whole.renditions.filter { $0.chain == chain }.map(\.key).sorted())
  }

  @Test func secretsOfHeadersStayInTheEnvironmentAndURLsAreWhole() throws {
    let text = job(try plan(Self.text)) { _ in true }
    #expect(text.contains("Bearer ${TOKEN}") && !text.contains("t0ps3cret"))
    #expect(text.contains("https://e.com/1.jpg?token=s3cret "))
  }

  @Test func itNeverPrunesWhateverIsSaid() throws {
    let text = job(try plan(Self.text)) { $0.chain == "list" }
    var overrides = GivenSettings()
    overrides["prune"] = "on"
    let again = try plan(text, overrides: overrides)
    #expect(Pruning([again]) == nil)
    #expect(Pruning.obstacle([again])?.contains("partial") == true)
  }

  /// Otherwise they would be of no later run, and no prune of it would ever remove them.
  @Test func itsEntriesBelongToTheMainJob() throws {
    let folder = try TemporaryFolder()
    for name in ["main.job", "a job with spaces.job"] {
      let path = folder.file(name).path
      try Data((JobFileReading.head + "prune on\nhttps://e.com/1.jpg card\n").utf8).write(
        to: folder.file(name))
      let whole = try #require(Plan.make(.file(path)).plan)
      var text = job(whole) { _ in true }
      // Also those of a job of what failed once more.
      for _ in 1...2 {
        try Data(text.utf8).write(to: folder.file("failed.job"))
        let again = try #require(Plan.make(.file(folder.file("failed.job").path)).plan, "\(text)")
        #expect(again.jobName == whole.jobName && Pruning([again]) == nil)
        #expect(try #require(Pruning([whole])).made(again.jobName, client: "nuke 12.9.0"))
        text = job(again) { _ in true }
      }
    }
    #expect(try plan("partial jobs/main.job\n" + Self.text).settings.mainPath.hasSuffix("/jobs/main.job"))
    #expect(try plan("partial on\n" + Self.text).settings.mainPath == plan(Self.text).settings.path)
  }

  @Test func flagsAreInIt() throws {
    var overrides = GivenSettings()
    overrides["cache"] = "else/where"
    overrides["scale"] = "2"
    overrides[all: "default"] = ["resize(width: 9)", "circle"]
    overrides["embedded"] = "prefer"
    overrides[all: "allow-private"] = ["127.0.0.1"]
    let whole = try plan(Self.text, overrides: overrides)
    let again = try plan(job(whole) { _ in true })
    #expect(keys(again) == keys(whole) && again.settings.cache == whole.settings.cache)
    #expect(again.settings.scales == [2] && again.settings.values[JobKey.allowPrivate] == ["127.0.0.1"])
    #expect(again.settings.embedded == .prefer)
  }

  @Test func chainsThatNoLineNeedsStayOut() throws {
    let whole = try plan(
      """
      client nuke 12
      cache out
      chain small = resize(width: 3)
      chain round = small | circle
      chain dim = round | gaussianBlur(radius: 3)
      chain other = resize(width: 9)
      https://e.com/1.jpg dim other
      https://e.com/2.jpg round
      """)
    let text = job(whole) { $0.chain == "dim" }
    #expect(text.contains("chain small") && text.contains("chain round") && !text.contains("chain other"))
    let again = Preheat.plan(text)
    #expect(again.plan?.renditionCount == 1 && !again.warnings.contains { $0.contains("never used") })
  }

  @Test func nothingThatFailedIsACommentAlone() throws {
    let text = job(try plan(JobFileReading.head + "https://e.com/1.jpg card")) { _ in false }
    #expect(text.split(separator: "\n").allSatisfy { $0.hasPrefix("#") }, "\(text)")
    #expect(text.contains("No rendition failed"))
  }

  @Test func whatStrangersSayStaysInItsComment() throws {
    let whole = try plan(JobFileReading.head + "https://e.com/1.jpg card")
    var failed = FailedChains()
    for rendition in whole.renditions {
      failed.add(
        rendition,
        RunFailure(
          step: .render, code: "image.format",
          message: "no\nprune on\r\nhttps://evil.example/\u{1B}[2J \u{202E}card ##[error]"))
    }
    let text = FailureJob(whole, failed: failed).text
    #expect(keys(try plan(text)) == keys(whole))
    #expect(!text.contains("\u{1B}") && !text.contains("\u{202E}") && !text.contains("\r"))
    #expect(!text.split(separator: "\n").contains { $0.hasPrefix("prune") })
  }

  @Test func wrongLinesAreCommentsWithTheirError() throws {
    let whole = try plan(
      JobFileReading.head + "skip-invalid on\nhttps://e.com/1.jpg card\nftp://e.com/2.jpg card\nN/A\n")
    let text = job(whole) { _ in true }
    #expect(text.contains("# 2 lines left out"))
    #expect(
      text.contains("# test.job:6: ") && text.contains("(job.source)")
        && text.contains("#     ftp://e.com/2.jpg"))
    #expect(keys(try plan(text)) == keys(whole))
  }
}

/// Failures of one cause are one group, whatever their URLs and numbers are.
@Suite(.timeLimit(.minutes(10)))
struct FailureGroupTests {
  private func record(_ line: Int, _ failure: RunFailure) -> RenditionRecord {
    var record = RenditionRecord(
      job: "a.job", file: "a.job", line: line, source: "https://e.com/\(line).jpg", chain: "card",
      status: .failed, key: "k\(line)", cache: "/c")
    record.failure = failure
    return record
  }

  @Test func causesAreToldTogetherAndTheLargestFirst() {
    let bad = (0..<5).map {
      RunFailure(step: .render, code: "image.limit", message: "it has \(1000 + $0) x 20\($0) pixels")
    }
    let gone = (0..<9).map {
      RunFailure(
        step: .fetch, code: "fetch.status", message: "https://e.com/\($0): 404", cause: "HTTP 404 from e.com")
    }
    let groups = FailureGroup.groups(of: (bad + gone).enumerated().map { record($0, $1) })
    #expect(groups.map(\.renditions.count) == [9, 5])
    #expect(groups.map(\.title) == ["HTTP 404 from e.com", "it has 1000 x 200 pixels"])
    #expect(groups.map(\.saysAll) == [true, false])
  }

  @Test func othersStayApart() {
    let failures = [
      RunFailure(step: .fetch, code: "fetch.status", message: "a", cause: "HTTP 404 from a.com"),
      RunFailure(step: .fetch, code: "fetch.status", message: "b", cause: "HTTP 404 from b.com"),
      RunFailure(
        step: .fetch, code: "fetch.status", message: "b", isRetryable: true, cause: "HTTP 404 from b.com"),
      RunFailure(step: .render, code: "image.format", message: "it is HTML"),
      RunFailure(step: .render, code: "image.format", message: "it is text"),
    ]
    #expect(FailureGroup.groups(of: failures.enumerated().map { record($0, $1) }).count == 5)
  }

  @Test func chainsOfALineStandTogether() {
    var second = record(1, RunFailure(step: .fetch, code: "c", message: "m"))
    second.chain = "list"
    second.scale = 2
    let first = record(1, RunFailure(step: .fetch, code: "c", message: "m"))
    let group = FailureGroup.groups(of: [first, second])
    #expect(group.count == 1 && group[0].lines.map(\.chains) == [["card", "list @2x"]])
  }
}

/// A job that does not know all of its entries removes none.
@Suite(.timeLimit(.minutes(10)))
struct PruningObstacleTests {
  private func plan(_ lines: String) throws -> Plan {
    let planned = Preheat.plan(JobFileReading.head + lines)
    return try #require(planned.plan, "\(planned.errors)")
  }

  @Test func leftOutLinesKeepEverything() throws {
    let wrong = try plan("prune on\nskip-invalid on\nhttps://e.com/1.jpg card\nN/A\n")
    #expect(Pruning([wrong]) == nil)
    #expect(Pruning.obstacle([wrong])?.contains("1 line of test.job was left out") == true)
    let right = try plan("prune on\nskip-invalid on\nhttps://e.com/1.jpg card\n")
    #expect(Pruning([right])?.names.count == 1 && Pruning.obstacle([right]) == nil)
    // The other job's lines are the cache's, too.
    #expect(Pruning([right, wrong]) == nil && Pruning.obstacle([right, wrong]) != nil)
  }

  @Test func ofTwoJobsOfACacheBothAskOrNone() throws {
    let asking = try plan("prune on\nhttps://e.com/1.jpg card\n")
    let silent = try plan("https://e.com/2.jpg card\n")
    let found = Plan.collisions(among: [asking, silent])
    #expect(found.hasErrors && found.sorted.first?.message.contains("prunes") == true)
    for plans in [[asking], [silent], [asking, asking], [silent, silent]] {
      #expect(!Plan.collisions(among: plans).hasErrors)
    }
  }

  @Test func nobodyIsToldWhoDidNotAsk() throws {
    let plan = try plan("skip-invalid on\nhttps://e.com/1.jpg card\nN/A\n")
    #expect(Pruning.obstacle([plan]) == nil && Pruning([plan]) == nil)
  }
}
