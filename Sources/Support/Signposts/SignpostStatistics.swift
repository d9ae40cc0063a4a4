import Text

/// The statistics of signpost logs, read once from beginning to end.
package struct SignpostStatistics {
  private let grouping: SignpostGrouping?
  private var names = InternTable()
  private var groups = InternTable()
  private var samples: [OperationSamples] = []
  /// Where the samples of an operation are, by name and group.
  private var places: [Place: Int] = [:]
  /// Intervals that have begun and not ended, with the number of their names.
  private var open: [Int64: Int] = [:]

  /// Lines that are not JSON objects. A log that was cut may end in one.
  package private(set) var damagedLines = 0
  /// Logs without a last line: their runs were killed, or go on.
  package private(set) var cutLogs = 0

  private struct Place: Hashable {
    var name: Int
    var group: Int?
  }

  /// - Parameter grouping: Splits every operation; intervals without such a value are left out.
  package init(by grouping: SignpostGrouping? = nil) {
    self.grouping = grouping
  }

  /// Adds a log.
  package mutating func add(_ path: String) throws(SignpostLogFailure) {
    var isFirst = true
    var isWhole = false
    try Self.forEachLine(of: path) { line throws(SignpostLogFailure) in
      let parsed = LogLine.parse(line, by: grouping, names: &names, groups: &groups)
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
      samples[place(Place(name: name, group: nil))].unfinished += 1
    }
    open = [:]
    for index in samples.indices { samples[index].closeLog() }
  }

  /// A line that is too long comes as an empty one, which is not a JSON object; those that are empty are left out.
  private static func forEachLine(
    of path: String, _ body: (UnsafeRawBufferPointer) throws(SignpostLogFailure) -> Void
  ) throws(SignpostLogFailure) {
    var reader = try reading(path) { () throws(ReadFailure) in try LineReader(path: path) }
    while let line = try reading(path, { () throws(ReadFailure) in try reader.next() }) {
      switch line {
      case .tooLong: try body(UnsafeRawBufferPointer(start: nil, count: 0))
      case .text(let bytes):
        guard !bytes.isEmpty else { continue }
        try bytes.withUnsafeBufferPointer { bytes throws(SignpostLogFailure) in
          try body(UnsafeRawBufferPointer(bytes))
        }
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
    var all: [OperationStatistics] = []
    for index in samples.indices {
      let (name, group) = (samples[index].name, samples[index].group)
      all.append(
        samples[index].statistics(name: names.texts[name], group: group.map { groups.texts[$0] }))
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
      samples[place(Place(name: name, group: group))].add(begin: begin, duration: duration)
    }
  }

  private mutating func place(_ place: Place) -> Int {
    if let index = places[place] { return index }
    places[place] = samples.count
    samples.append(OperationSamples(name: place.name, group: place.group))
    return samples.count - 1
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
