import ClientKit
import ContentDigests
import FileStore
import Foundation
import Planning
import Text

/// What a run of a part of a job leaves in its state folder for those who join the parts: which part of which job it is,
/// whether it is whole, and where its entries stand in the order of the whole job. Access dates follow that order, and
/// no part knows the others'.
package struct ShardRecord: Sendable, Hashable {
  package var shard: Shard
  /// SHA-256 of the settings and chains that decide what the parts have in common.
  package var job: String
  /// When the run began: what dates are counted from.
  package var date: RunDate
  package var entries: [Entry] = []
  /// False from a run's first moment to its end, also where it was killed.
  package var isFinished = false

  package struct Entry: Sendable, Hashable {
    /// Which job of the run, how urgent its source is, and which source of that job it is.
    package var job: Int
    package var priority: Int
    package var ordinal: Int
    package var finished: FinishedEntry

    package static func isBefore(_ a: Entry, _ b: Entry) -> Bool {
      (a.job, -a.priority, a.ordinal) < (b.job, -b.priority, b.ordinal)
    }
  }

  package static let name = "shard"
  private static let title = "preheat shard 2"
  /// The last line, so that a record that was cut is not taken for a whole one.
  private static let end = "finished"
}

// MARK: - On disk

extension ShardRecord {
  /// Notes what the plans of a cache folder are a part of; of whole jobs nothing is noted. It is on the device before
  /// the run changes anything, without an entry and without an end.
  package static func begin(_ plans: [Plan], date: RunDate, in state: StateFolder) throws(StoreFailure) {
    guard plans.first?.settings.shard != nil else {
      return try StoreFailure.storing { () throws(FileStoreError) in try files(state).remove(name) }
    }
    try write(plans, date: date, to: state, isFinished: false)
    try StoreFailure.storing { () throws(FileStoreError) in
      try files(state).synchronize { [state.path + "/" + name] }
    }
  }

  /// Notes that the run has gone through its plans, an entry after the other.
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
    do {
      try files(state).write(name) { take in
        var text = "\(title)\n\(shard.text)\n\(job)\n\(date.start.timeIntervalSince1970)\n"
        for (job, plan) in plans.enumerated() where isFinished {
          for source in plan.sources.indices {
            text += lines(of: source, plan, job)
            guard text.utf8.count > 1 << 16 else { continue }
            try take(Data(text.utf8))
            text = ""
          }
        }
        if isFinished { text += "\(end)\n" }
        try take(Data(text.utf8))
      }
    } catch let error as FileStoreError {
      throw StoreFailure(error)
    } catch {
      throw StoreFailure(.notWritable, "\(state.path)/\(name) cannot be written: \(error)")
    }
  }

  private static func lines(of source: Int, _ plan: Plan, _ job: Int) -> String {
    let rows = plan.rows(ofSource: source)
    let priority = rows.map { plan.options[Int($0.options)].priority.rank }.max() ?? 0
    return rows.flatMap { plan.rendition(at: $0).finished }.map { finished in
      "\(job) \(priority) \(plan.ordinals[source]) \(finished.content.rawValue) "
        + "\(finished.expiry?.text ?? "-") \(finished.file)\n"
    }.joined()
  }

  /// Nil where the cache is not a part of a job.
  ///
  /// - Throws: where the file is there and cannot be read, or is not what a run writes.
  package init?(of cache: String) throws(StoreFailure) {
    let state = StateFolder(cache: cache)
    let data = try StoreFailure.storing { () throws(FileStoreError) in try Self.files(state).read(Self.name) }
    guard let data else { return nil }
    var lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true).lazy.map {
      String(decoding: $0, as: UTF8.self)
    }.makeIterator()
    guard lines.next() == Self.title, let shard = lines.next().flatMap({ Shard($0) }),
      let job = lines.next(), job.utf8.count == 64,
      let start = lines.next().flatMap({ Double($0) }), (0...253_402_300_799).contains(start)
    else { throw Self.damage(state) }
    self.init(shard: shard, job: job, date: RunDate(start: Date(timeIntervalSince1970: start)))
    while let line = lines.next() {
      // Nothing follows the end.
      guard !isFinished else { throw Self.damage(state) }
      isFinished = line == Self.end
      if isFinished { continue }
      guard let entry = Entry(line) else { throw Self.damage(state) }
      entries.append(entry)
    }
  }

  private static func damage(_ state: StateFolder) -> StoreFailure {
    StoreFailure(
      .ledger, "\(state.path)/\(name) is damaged: run that part of the job again, which makes nothing twice")
  }
}

extension ShardRecord.Entry {
  fileprivate init?(_ line: String) {
    let words = line.split(separator: " ", maxSplits: 5)
    guard words.count == 6, let job = Int(words[0]), let priority = Int(words[1]),
      let ordinal = Int(words[2]),
      (0...1_000_000).contains(job), (-10...10).contains(priority), ordinal >= 0,
      let content = EntryContent(rawValue: String(words[3])), FileStore.isFileName(String(words[5]))
    else { return nil }
    let expiry = EntryExpiry(text: String(words[4]))
    guard expiry != nil || words[4] == "-" else { return nil }
    self.init(
      job: job, priority: priority, ordinal: ordinal,
      finished: FinishedEntry(file: String(words[5]), content: content, expiry: expiry))
  }
}
