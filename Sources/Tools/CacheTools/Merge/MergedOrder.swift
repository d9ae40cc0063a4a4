import CacheStore
import ClientKit
import Planning
import Text

/// The entries of all parts of a job in the order of the whole.
struct MergedOrder {
  /// The latest start of a part: what dates are counted from.
  let date: RunDate
  let entries: [FinishedEntry]

  /// Nil where the caches are not parts of a job.
  ///
  /// - Parameter isWhole: all parts have to be there.
  /// - Throws: where they do not make up one job.
  init?(_ caches: [String], isWhole: Bool) throws(ToolError) {
    var parts: [(path: String, record: ShardRecord)] = []
    for path in caches {
      let record: ShardRecord?
      do throws(StoreFailure) { record = try ShardRecord(of: PathText.absolute(path)) } catch {
        throw ToolError(error, isReading: true)
      }
      if let record { parts.append((path, record)) }
    }
    guard let first = parts.first, parts.count == caches.count else { return nil }
    let count = first.record.shard.count
    var pathOfNumber: [Int: String] = [:]
    for (path, record) in parts {
      guard record.shard.count == count else {
        throw ToolError(
          .cache(.input),
          "\(first.path) is part \(first.record.shard.text) of its job and \(path) part \(record.shard.text): they do not "
            + "belong together")
      }
      if let other = pathOfNumber.updateValue(path, forKey: record.shard.number) {
        throw ToolError(.cache(.input), "part \(record.shard.text) is there twice: \(other) and \(path)")
      }
    }
    let missing = (1...count).filter { pathOfNumber[$0] == nil }
    guard missing.isEmpty || !isWhole else {
      let some = missing.prefix(10).map(String.init).joined(separator: ", ")
      throw ToolError(
        .cache(.input),
        "\(NumberText.count(missing.count, "part")) of \(count) missing: \(some)\(missing.count > 10 ? ", ..." : "")",
        advice: "run them with --shard, or add --incomplete to join what there is")
    }
    date = parts.map(\.record.date).max { $0.start < $1.start } ?? first.record.date
    entries = parts.flatMap(\.record.entries).sorted(by: ShardRecord.Entry.isBefore).map(\.finished)
  }
}
