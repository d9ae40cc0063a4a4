import Foundation
import JobSupport
import Testing
import Text

@testable import Planning

/// Failures of one cause are one group, whatever their URLs and numbers are.
@Suite(.timeLimit(.minutes(10)))
struct FailureGroupTests {
  private func record(_ line: Int, _ failure: RunFailure) -> RenditionRecord {
    var record = RenditionRecord(
      job: "a.job", file: "a.job", line: line, source: "https://e.com/\(line).jpg", chain: "card",
      status: .failed, key: "k\(line)")
    record.cache = "/c"
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
    (second.scale, second.isScaled) = (2, true)
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
