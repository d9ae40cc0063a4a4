import CacheStore
import FileStore
import Foundation
import Planning
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
      // A second name until the first one is given to the new record. Without it a bundle knows less of what failed.
      try? files.linkItem(atPath: last, toPath: previous)
    }
    // A link is replaced, never followed: only another program can have put it there.
    let store = try FileStore(
      folder: URL(fileURLWithPath: state.path), temporaryFolder: URL(fileURLWithPath: state.temporary))
    try store.write(RunRecord.fileName) { append in try record.forEachPiece(append) }
  }

  /// The renditions of this cache in the kept runs, those of the last one first.
  var outcomes: [RenditionRecord] {
    [last, previous].flatMap { path in
      (record(path)?.renditions ?? []).filter { $0.cache == state.cache }
    }
  }

  /// The cache may lie elsewhere than the record says.
  private func record(_ path: String) -> RunRecord? {
    guard let data = FileManager.default.contents(atPath: path),
      var record = try? RunRecord(lines: data, path: path)
    else { return nil }
    record.move(to: state.cache)
    return record
  }

  /// Joins the last records of the parts of a job into one beside the joined cache.
  func join(_ parts: [String]) throws {
    let records = parts.compactMap { part in
      let kept = KeptRecords(cache: part)
      return kept.record(kept.last)
    }
    guard var joined = records.first else { return }
    for record in records.dropFirst() {
      joined.summary.counts.add(record.summary.counts)
      joined.summary.seconds = max(joined.summary.seconds, record.summary.seconds)
      joined.summary.exit = max(joined.summary.exit, record.summary.exit)
      joined.renditions += record.renditions.prefix(RunRecord.limit - joined.renditions.count)
    }
    (joined.caches, joined.operations) = ([], [])
    for index in joined.renditions.indices { joined.renditions[index].cache = state.cache }
    try save(joined)
  }
}
