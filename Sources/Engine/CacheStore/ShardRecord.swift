import ClientKit
import ContentDigests
import FileStore
import Foundation
import Planning

/// What a run of a part of a job leaves in its state folder for those who join the parts: which part it is, and when
/// the run began.
package struct ShardRecord: Sendable, Hashable {
  package var shard: Shard
  /// What dates are counted from.
  package var date: RunDate

  package static let name = "shard"
  private static let title = "preheat shard 2"

  /// Notes what the plans of a cache folder are a part of; nothing where they are whole jobs.
  package static func write(_ plans: [Plan], date: RunDate, to state: StateFolder) throws(StoreFailure) {
    guard let shard = plans.first?.settings.shard else { return remove(from: state) }
    let text = "\(title)\n\(shard.text)\n\(date.start.timeIntervalSince1970)\n"
    try StoreFailure.storing { () throws(FileStoreError) in
      _ = try FileStore(existing: URL(fileURLWithPath: state.path), calls: state.calls)
        .write(Data(text.utf8), as: name)
    }
  }

  /// A run of a whole job is not a part any more.
  package static func remove(from state: StateFolder) {
    try? FileStore(existing: URL(fileURLWithPath: state.path), calls: state.calls).remove(name)
  }

  /// Nil where the cache is not a part of a job.
  ///
  /// - Throws: where the file is there and cannot be read, or is not what a run writes.
  package init?(of cache: String) throws(StoreFailure) {
    let state = StateFolder(cache: cache)
    let data = try StoreFailure.storing { () throws(FileStoreError) in
      try FileStore(existing: URL(fileURLWithPath: state.path)).read(Self.name)
    }
    guard let data else { return nil }
    let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
    guard lines.count == 3, lines[0] == Self.title, let shard = Shard(String(lines[1])),
      let start = Double(lines[2]), (0...253_402_300_799).contains(start)
    else {
      throw StoreFailure(
        .ledger,
        "\(state.path)/\(Self.name) is damaged: run that part of the job again, which makes nothing twice")
    }
    self.shard = shard
    date = RunDate(start: Date(timeIntervalSince1970: start))
  }
}
