import Bodies
import Foundation

@testable import CacheStore

/// What runs leave in the state folder for those that come later.
extension FuzzTarget {
  static let shardRecord = FuzzTarget(name: "shard-record") { bytes in
    let data = Data(bytes)
    guard let record = ShardRecord(reading: data) else { return }
    try hold(ShardRecord(reading: record.encoded) == record, "a record that was written is the same")
    try hold(
      (1...record.shard.count).contains(record.shard.number) && record.shard.count <= Shard.most,
      "a part is one of the parts: \(record.shard)")
    try hold((0...253_402_300_799).contains(record.date.start.timeIntervalSince1970), "a date can be held")
    for length in data.indices where record.isFinished {
      let cut = ShardRecord(reading: data.prefix(length))
      try hold(cut?.isFinished != true, "a record that was cut at \(length) is not finished")
    }
  }
}
