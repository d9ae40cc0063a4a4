import Foundation
import TestSupport
import Testing

@testable import Sessions

/// Keys that somebody has damaged or made up: what comes out of them is exact, or a comment.
@Suite("Damaged keys", .timeLimit(.minutes(5)))
struct DamagedKeyTests {
  @Test(arguments: [
    ("nuke 13", "nuke-keys.tsv", "data_cache_key"), ("kingfisher 8", "kingfisher-keys.tsv", "computed_key"),
    ("sdwebimage 5", "sdwebimage-keys.tsv", "cache_key"),
  ])
  func jobsOfDamagedKeysAreExact(client: String, table: String, column: String) throws {
    let keys = try Fixtures.table(table).compactMap { $0[column] }
    var requests: [RecordedRequest] = []
    for (number, key) in keys.enumerated() {
      for seed in 0..<8 {
        let bytes = Mutation.damage(Data(key.utf8), seed: number * 8 + seed)
        guard let text = String(validating: bytes, as: UTF8.self), !text.isEmpty else { continue }
        requests.append(RecordedRequest(key: text))
      }
    }
    #expect(requests.count > 100)
    let job = try RoundTrip.check(requests, ["client": client])
    #expect(job.refusals.allSatisfy { !$0.reason.isEmpty })
    #expect(job.sourceCount > 0)
  }

  @Test(arguments: [
    ("nuke 12", "com.github.kean/nuke/core_image?name="), ("kingfisher 8", "@|>com.onevcat.Kingfisher."),
    ("sdwebimage 5", "-SDImageBlurTransformer(1"),
  ])
  func longKeysTakeNoTime(client: String, part: String) throws {
    let long = "https://e.com/a" + String(repeating: part, count: (1 << 20) / part.utf8.count - 1)
    let fair = "https://e.com/a" + String(repeating: part, count: (15 << 10) / part.utf8.count) + ".png"
    let job = try RoundTrip.check(
      [long, fair, "https://e.com/b.png"].map { RecordedRequest(key: $0) }, ["client": client])
    #expect(job.refusals.map(\.key).contains(long))
  }
}
