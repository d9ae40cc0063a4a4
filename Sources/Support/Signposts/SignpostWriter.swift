import Foundation
import Text

/// Makes records of notes, and knows which intervals are open.
struct SignpostWriter: Sendable {
  var exporters: [any SignpostExporter]
  var gauges: [Gauge]
  var isFinished = false
  /// Intervals that have begun. `isReported`: the exporters know of it.
  var open: [UInt64: (span: SignpostSpan, isReported: Bool)] = [:]

  /// An interval that began and ended among the notes is written as a whole; one that is open still, as begun.
  mutating func records(of notes: [SignpostNote]) -> [SignpostRecord] {
    var records: [SignpostRecord] = []
    records.reserveCapacity(notes.count)
    var begun: [UInt64] = []
    for note in notes {
      switch note {
      case .begin(let span):
        open[span.id] = (span, false)
        begun.append(span.id)
      case .end(let id, let time, let metadata):
        guard let (begun, isReported) = open.removeValue(forKey: id) else { continue }
        var span = begun
        span.end = max(span.begin, time)
        span.metadata.merge(metadata) { $1 }
        records.append(.interval(span, wasBegun: isReported))
      case .interval(let span): records.append(.interval(span, wasBegun: false))
      case .event(let span): records.append(.event(span))
      }
    }
    for id in begun {
      guard let (span, _) = open[id] else { continue }
      open[id] = (span, true)
      records.append(.begun(span))
    }
    return records + counters()
  }

  private mutating func counters() -> [SignpostRecord] {
    let now = SignpostClock.now
    return gauges.indices.compactMap { index in
      gauges[index].change().map { .counter(gauges[index].counter, value: $0, time: now) }
    }
  }

  mutating func finish() {
    isFinished = true
    let rest = open.values.map(\.span).sorted { ($0.begin, $0.id) < ($1.begin, $1.id) }
    for exporter in exporters { exporter.finish(open: rest, at: SignpostClock.now) }
    open = [:]
    gauges = []
  }
}

/// A quantity, and what it was when it was last looked at.
struct Gauge: Sendable {
  let counter: SignpostCounter
  let value: @Sendable () -> Int
  var last: Int?

  /// The value, or nil while it is what it was.
  mutating func change() -> Int64? {
    let now = value()
    guard now != last else { return nil }
    last = now
    return Int64(now)
  }

  /// Resident bytes of this process: the second number of `/proc/self/statm`, in pages (proc(5)). 0 where there is none.
  static let memory = Gauge(
    counter: .memory,
    value: {
      let pages = SystemFile.text("/proc/self/statm")?.split(separator: " ").dropFirst().first
      return pages.flatMap { Int($0) }.map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) } ?? 0
    })
}
