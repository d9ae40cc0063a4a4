import ClientKit
import ContentDigests
import FileStore
import Foundation
import Planning
import Text

/// What a run of a part of a job leaves in its state folder for those who join the parts: which part of which job it is,
/// whether it is whole, and when the run began.
package struct ShardRecord: Sendable, Hashable {
  package var shard: Shard
  /// SHA-256 of the settings and chains that decide what the parts have in common.
  package var job: String
  /// What dates are counted from.
  package var date: RunDate
  /// False from a run's first moment to its end, also where it was killed.
  package var isFinished = false

  package static let name = "shard"
  private static let title = "preheat shard 3"
  /// The last line, so that a record that was cut is not taken for a whole one.
  private static let end = "finished"

  /// Notes what the plans of a cache folder are a part of; of whole jobs nothing is noted. It is on the device before
  /// the run changes anything, and without an end.
  package static func begin(_ plans: [Plan], date: RunDate, in state: StateFolder) throws(StoreFailure) {
    guard plans.first?.settings.shard != nil else {
      return try StoreFailure.storing { () throws(FileStoreError) in try files(state).remove(name) }
    }
    try write(plans, date: date, to: state, isFinished: false)
    try StoreFailure.storing { () throws(FileStoreError) in
      try files(state).synchronize { [state.path + "/" + name] }
    }
  }

  /// Notes that the run has gone through its plans.
  package static func finish(_ plans: [Plan], date: RunDate, in state: StateFolder) throws(StoreFailure) {
    try write(plans, date: date, to: state, isFinished: true)
  }

  private static func files(_ state: StateFolder) -> FileStore {
    FileStore(existing: URL(fileURLWithPath: state.path), calls: state.calls)
  }

  private static func write(
    _ plans: [Plan], date: RunDate, to state: StateFolder, isFinished: Bool
  ) throws(StoreFailure) {
    guard let shard = plans.first?.settings.shard else { return }
    let job = ContentDigest.sha256(plans.map(\.settingLines.digest).joined().utf8)
    let record = ShardRecord(shard: shard, job: job, date: date, isFinished: isFinished)
    try StoreFailure.storing { () throws(FileStoreError) in
      _ = try files(state).write(record.encoded, as: name)
    }
  }

  var encoded: Data {
    let lines = [Self.title, shard.text, job, "\(date.start.timeIntervalSince1970)"]
    return Data(((lines + (isFinished ? [Self.end] : [])).joined(separator: "\n") + "\n").utf8)
  }
}

extension ShardRecord {
  /// Nil where the cache is not a part of a job.
  ///
  /// - Throws: where the file is there and cannot be read, or is not what a run writes.
  package init?(of cache: String) throws(StoreFailure) {
    let state = StateFolder(cache: cache)
    let data = try StoreFailure.storing { () throws(FileStoreError) in try Self.files(state).read(Self.name) }
    guard let data else { return nil }
    guard let record = ShardRecord(reading: data) else {
      throw StoreFailure(
        .ledger,
        "\(state.path)/\(Self.name) is damaged: run that part of the job again, which makes nothing twice")
    }
    self = record
  }

  /// Nil where it is not what a run writes.
  init?(reading data: Data) {
    let lines = String(decoding: data, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard lines.count == 5 || lines.count == 6 && lines[4] == Self.end, lines.last == "",
      lines[0] == Self.title, let shard = Shard(lines[1]), lines[2].isHexadecimal(length: 64),
      let start = Double(lines[3]), (0...253_402_300_799).contains(start)
    else { return nil }
    self.init(
      shard: shard, job: lines[2], date: RunDate(start: Date(timeIntervalSince1970: start)),
      isFinished: lines.count == 6)
  }
}
