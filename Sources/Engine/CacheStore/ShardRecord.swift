import ClientKit
import ContentDigests
import FileStore
import Foundation
import Planning
import Text

/// What a run of a part of a job leaves in its state folder for those who join the parts: which part it is, and where
/// its entries stand in the order of the whole job. Access dates follow that order, and no part knows the others'.
package struct ShardRecord: Sendable, Hashable {
  package var shard: Shard
  /// When the run began: what dates are counted from.
  package var date: RunDate
  package var entries: [Entry]

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
  private static let title = "preheat shard 1"
}

// MARK: - On disk

extension ShardRecord {
  /// Notes what the plans of a cache folder are a part of, an entry after the other; nothing where they are whole jobs.
  package static func write(_ plans: [Plan], date: RunDate, to state: StateFolder) throws(StoreFailure) {
    guard let shard = plans.first?.settings.shard else { return remove(from: state) }
    do {
      let files = FileStore(existing: URL(fileURLWithPath: state.path), calls: state.calls)
      try files.write(name) { take in
        var text = "\(title)\n\(shard.text)\n\(date.start.timeIntervalSince1970)\n"
        for (job, plan) in plans.enumerated() {
          for source in plan.sources.indices {
            text += lines(of: source, plan, job)
            guard text.utf8.count > 1 << 16 else { continue }
            try take(Data(text.utf8))
            text = ""
          }
        }
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
    return rows.flatMap(plan.finished).map { finished in
      "\(job) \(priority) \(plan.ordinals[source]) \(finished.content.rawValue) "
        + "\(finished.expiry?.text ?? "-") \(finished.file)\n"
    }.joined()
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
    let data: Data?
    do throws(FileStoreError) {
      data = try FileStore(existing: URL(fileURLWithPath: state.path)).read(Self.name)
    } catch {
      throw StoreFailure(error)
    }
    guard let data else { return nil }
    var lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true).makeIterator()
    guard lines.next().map({ String(decoding: $0, as: UTF8.self) }) == Self.title,
      let shard = lines.next().flatMap({ Shard(String(decoding: $0, as: UTF8.self)) }),
      let start = lines.next().flatMap({ Double(String(decoding: $0, as: UTF8.self)) }),
      (0...253_402_300_799).contains(start)
    else { throw Self.damage(state) }
    self.shard = shard
    date = RunDate(start: Date(timeIntervalSince1970: start))
    entries = []
    while let line = lines.next() {
      guard let entry = Entry(String(decoding: line, as: UTF8.self)) else { throw Self.damage(state) }
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
