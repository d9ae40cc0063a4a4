import Foundation
import Text

/// The statistics of signpost logs, read once from beginning to end.
package struct SignpostStatistics {
  private let grouping: SignpostGrouping?
  private var samples: [Operation: OperationSamples] = [:]
  /// The names of intervals that have begun and not ended.
  private var open: [Int64: String] = [:]

  /// Lines that are not JSON objects. A log that was cut may end in one.
  package private(set) var damagedLines = 0
  /// Logs without a last line: their runs were killed, or go on.
  package private(set) var cutLogs = 0

  private struct Operation: Hashable {
    var name: String
    var group: String?
  }

  /// - Parameter grouping: Splits every operation; intervals without such a value are left out.
  package init(by grouping: SignpostGrouping? = nil) {
    self.grouping = grouping
  }

  /// Adds a log.
  package mutating func add(_ path: String) throws(ReadFailure) {
    // Of no log at all below zero.
    var (version, isFirst, isWhole) = (-1, true, false)
    let decoder = JSONDecoder()
    do throws(ReadFailure) {
      var reader = try LineReader(path: path)
      while isFirst || (0...SignpostLogExporter.version).contains(version), let line = try reader.next() {
        var parsed: LogLine?
        // A line that is too long is not a JSON object either.
        if case .text(let bytes) = line {
          if bytes.isEmpty { continue }
          parsed = try? decoder.decode(LogLine.self, from: Data(bytes))
        }
        if isFirst, let parsed, parsed.type == "header" { version = max(0, parsed.v ?? 0) }
        isFirst = false
        if parsed?.type == "footer" { isWhole = true }
        if !(parsed.map { count($0) } ?? false) { damagedLines += 1 }
      }
    } catch {
      throw ReadFailure(reason: "\(path) cannot be read: \(error.reason)")
    }
    guard version >= 0 else {
      throw ReadFailure(
        reason: "\(path) is not a signpost log; one is written by preheat run --signposts FILE")
    }
    guard version <= SignpostLogExporter.version else {
      throw ReadFailure(
        reason: "\(path) has version \(version) of the log; this program reads up to "
          + "\(SignpostLogExporter.version)")
    }
    if !isWhole { cutLogs += 1 }
    for name in open.values where grouping == nil {
      samples[Operation(name: name), default: OperationSamples()].unfinished += 1
    }
    open = [:]
    for operation in samples.keys { samples[operation]?.closeLog() }
  }

  /// In the order of the operations' total times, longest first; groups of one operation stand together, but of a URL
  /// all that was done for it.
  package func operations() -> [OperationStatistics] {
    let all = samples.map { OperationStatistics(name: $0.name, group: $0.group, $1) }
    func title(_ operation: OperationStatistics) -> String {
      grouping == .url ? operation.group ?? "" : operation.name
    }
    let totals = Dictionary(all.map { (title($0), $0.total) }, uniquingKeysWith: { $0.addingUpTo($1) })
    return all.sorted { a, b in
      let titles = (title(a), title(b))
      if titles.0 != titles.1 { return (totals[titles.1] ?? 0, titles.0) < (totals[titles.0] ?? 0, titles.1) }
      return (b.total, a.group ?? "", a.name) < (a.total, b.group ?? "", b.name)
    }
  }

  /// - Returns: False where an interval lacks a member, or has a time that no run takes.
  private mutating func count(_ line: LogLine) -> Bool {
    let isBegin = line.type == "begin"
    guard isBegin || line.type == "interval" else { return true }
    guard let id = line.id, let name = line.name else { return false }
    if isBegin {
      open[id] = name
      return true
    }
    guard let begin = line.begin, let duration = line.duration, LogLine.isPlausible(begin),
      LogLine.isPlausible(duration)
    else { return false }
    if !open.isEmpty { open[id] = nil }
    let group = grouping.flatMap(line.group)
    guard grouping == nil || group != nil else { return true }
    samples[Operation(name: name, group: group), default: OperationSamples()].add(
      begin: begin, duration: max(0, duration))
    return true
  }
}

/// What the statistics of a log can be split by.
package enum SignpostGrouping: String, Hashable, Sendable, CaseIterable {
  case host, chain, worker
  /// A source's downloads and renderings together.
  case url
}

/// The members of a line that the statistics want; lines of other types, and what later versions may add, have others too.
struct LogLine: Decodable {
  var type: String
  var v: Int?
  var name: String?
  var id: Int64?
  var begin: Int64?
  var duration: Int64?
  private var worker: Int?
  private var host: String?
  private var chain: String?
  private var url: String?

  /// Nil where the line has no value to group by.
  func group(by grouping: SignpostGrouping) -> String? {
    switch grouping {
    case .worker: worker.map(String.init)
    case .host: host
    case .chain: chain
    case .url: url
    }
  }

  /// Nanoseconds of no more than three years, so that no sum of them overflows.
  static func isPlausible(_ nanoseconds: Int64) -> Bool {
    nanoseconds.magnitude < 100_000_000_000_000_000
  }
}
