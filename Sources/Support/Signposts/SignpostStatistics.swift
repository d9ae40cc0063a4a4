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
  package mutating func add(_ path: String) throws(SignpostLogFailure) {
    var isFirst = true
    var isWhole = false
    let decoder = JSONDecoder()
    try Self.forEachLine(of: path) { line throws(SignpostLogFailure) in
      let parsed = LogLine(line, by: grouping, decoder)
      if isFirst {
        guard case .header(let version) = parsed else { throw .notALog(path) }
        guard version <= SignpostLogExporter.version else {
          throw SignpostLogFailure(
            message: "\(path) has version \(version) of the log; this program reads up to "
              + "\(SignpostLogExporter.version)")
        }
        isFirst = false
      }
      if case .footer = parsed { isWhole = true }
      count(parsed)
    }
    if isFirst { throw .notALog(path) }
    if !isWhole { cutLogs += 1 }
    for name in open.values where grouping == nil {
      samples[Operation(name: name), default: OperationSamples()].unfinished += 1
    }
    open = [:]
    for operation in samples.keys { samples[operation]?.closeLog() }
  }

  /// A line that is too long comes as an empty one, which is not a JSON object; those that are empty are left out.
  private static func forEachLine(
    of path: String, _ body: (ArraySlice<UInt8>) throws(SignpostLogFailure) -> Void
  ) throws(SignpostLogFailure) {
    var reader = try reading(path) { () throws(ReadFailure) in try LineReader(path: path) }
    while let line = try reading(path, { () throws(ReadFailure) in try reader.next() }) {
      switch line {
      case .tooLong: try body([])
      case .text(let bytes): if !bytes.isEmpty { try body(bytes) }
      }
    }
  }

  private static func reading<Value: ~Copyable>(
    _ path: String, _ read: () throws(ReadFailure) -> Value
  ) throws(SignpostLogFailure) -> Value {
    do {
      return try read()
    } catch {
      throw SignpostLogFailure(message: "\(path) cannot be read: \(error.reason)")
    }
  }

  /// In the order of the operations' total times, longest first; groups of one operation stand together, but of a URL
  /// all that was done for it.
  package mutating func operations() -> [OperationStatistics] {
    let all = samples.map { operation, samples in
      var samples = samples
      return samples.statistics(name: operation.name, group: operation.group)
    }
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

  private mutating func count(_ line: LogLine) {
    switch line {
    case .header, .footer, .other: break
    case .damaged: damagedLines += 1
    case .begun(let id, let name): open[id] = name
    case .interval(let id, let name, let begin, let duration, let group):
      if !open.isEmpty { open[id] = nil }
      guard grouping == nil || group != nil else { return }
      samples[Operation(name: name, group: group), default: OperationSamples()].add(
        begin: begin, duration: duration)
    }
  }
}

/// What the statistics of a log can be split by.
package enum SignpostGrouping: String, Hashable, Sendable, CaseIterable {
  case host, chain, worker
  /// A source's downloads and renderings together.
  case url
}

/// Why a signpost log cannot be read.
package struct SignpostLogFailure: Error, Hashable, Sendable {
  /// What to do about it included.
  package var message: String

  static func notALog(_ path: String) -> Self {
    Self(message: "\(path) is not a signpost log; one is written by preheat run --signposts FILE")
  }
}
