import CacheStore
import FileStore
import Foundation
import Reporting

/// The records that the last two runs left beside a cache.
struct KeptRecords: Sendable {
  private let state: StateFolder

  init(cache: String) { state = StateFolder(cache: cache) }

  var last: String { "\(state.path)/\(RunRecord.fileName)" }
  private var previous: String { "\(state.path)/\(RunRecord.previousFileName)" }

  /// The last record becomes the one before it. At each moment there is a whole last record.
  func save(_ record: RunRecord) throws {
    let files = FileManager.default
    if files.fileExists(atPath: last) {
      try? files.removeItem(atPath: previous)
      // A second name until the first one is given to the new record. Without it there is nothing to compare with later.
      try? files.linkItem(atPath: last, toPath: previous)
    }
    // A link is replaced, never followed: only another program can have put it there.
    let store = try FileStore(
      folder: URL(fileURLWithPath: state.path), temporaryFolder: URL(fileURLWithPath: state.temporary))
    try store.write(RunRecord.fileName) { append in try record.forEachPiece(append) }
  }

  /// The record of the run before the last one; nil if there is none.
  ///
  /// - Parameter isMoved: the cache lies elsewhere than the record says.
  func before(isMoved: Bool = false) -> RunRecord? {
    guard let data = FileManager.default.contents(atPath: previous),
      var record = try? RunRecord(lines: data, path: previous)
    else { return nil }
    if isMoved { record.move(to: state.cache) }
    return record
  }

  /// The last runs on some caches against the runs before them.
  static func comparison(_ caches: [String], isMoved: Bool = false) -> RunComparison? {
    var comparison: RunComparison?
    for cache in caches {
      guard let record = KeptRecords(cache: cache).before(isMoved: isMoved) else { continue }
      if comparison == nil { comparison = RunComparison(record.summary) }
      comparison?.add(record, cache: cache)
    }
    return comparison
  }
}
