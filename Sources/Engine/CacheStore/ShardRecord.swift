import Bodies
import ClientKit
import Foundation
import Planning

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

  /// Notes what the plans of a cache folder are a part of; of whole jobs nothing is noted. Before the run changes
  /// anything the note is on the device, and without an end; the last one says that the run has gone through its plans.
  package static func note(
    _ plans: [Plan], date: RunDate, isFinished: Bool, in state: StateFolder
  ) throws {
    guard let shard = plans.first?.settings.given.shard else { return try state.files.remove(name) }
    let job = ContentDigest.sha256(plans.map(\.settingLines.digest).joined().utf8)
    let record = ShardRecord(shard: shard, job: job, date: date, isFinished: isFinished)
    try state.files.write(record.encoded, as: name)
    if !isFinished { try state.files.synchronize { [state.path + "/" + name] } }
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
  package init?(of cache: String) throws {
    let state = StateFolder(cache: cache)
    guard let data = try state.files.read(Self.name) else { return nil }
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
