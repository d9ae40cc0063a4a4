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

  /// - Parameter plans: all of a cache folder; nil where they are whole jobs.
  package init?(_ plans: [Plan], date: RunDate) {
    guard let shard = plans.first?.settings.shard else { return nil }
    self.shard = shard
    self.date = date
    entries = []
    for (job, plan) in plans.enumerated() {
      for source in plan.sources.indices {
        let rows = plan.rows(ofSource: source)
        let priority = rows.map { plan.options[Int($0.options)].priority.rank }.max() ?? 0
        for row in rows {
          for store in plan.rendition(at: row).stores {
            entries.append(
              Entry(
                job: job, priority: priority, ordinal: plan.ordinals[source],
                finished: FinishedEntry(file: store.fileName, content: store.content, expiry: store.expiry)))
          }
        }
      }
    }
  }
}

// MARK: - On disk

extension ShardRecord {
  /// A line each, so that a part of a million entries needs no more memory than its run.
  package func write(to state: StateFolder) throws(StoreFailure) {
    do {
      let files = FileStore(existing: URL(fileURLWithPath: state.path), calls: state.calls)
      try files.write(Self.name) { take in
        var text = "\(Self.title)\n\(shard.text)\n\(date.start.timeIntervalSince1970)\n"
        for entry in entries {
          let finished = entry.finished
          text += "\(entry.job) \(entry.priority) \(entry.ordinal) \(finished.content.rawValue) "
          text += "\(finished.expiry?.text ?? "-") \(finished.file)\n"
          if text.utf8.count > 1 << 16 {
            try take(Data(text.utf8))
            text = ""
          }
        }
        try take(Data(text.utf8))
      }
    } catch let error as FileStoreError {
      throw StoreFailure(error)
    } catch {
      throw StoreFailure(.notWritable, "\(state.path)/\(Self.name) cannot be written: \(error)")
    }
  }

  /// A run of a whole job is no part any more.
  package static func remove(from state: StateFolder) {
    try? FileStore(existing: URL(fileURLWithPath: state.path), calls: state.calls).remove(name)
  }

  /// Nil where the cache is no part of a job.
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
