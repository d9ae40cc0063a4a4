import Dispatch
import Synchronization

/// Collects signposts from all threads and hands them to its exporters, a few times a second and on a queue
/// of its own: who sets a signpost appends to a list and goes on.
public final class SignpostRecorder: Sendable {
  /// A list as long as this is handed on without waiting for its time.
  private static let fullList = 8192

  private enum Note: Sendable {
    case begin(SignpostSpan)
    case end(UInt64, time: Int64, SignpostMetadata)
    case interval(SignpostSpan)
    case event(SignpostSpan)
  }

  private struct Inbox: Sendable {
    var notes: [Note] = []
    var isClosed = false
  }

  private struct Writer: Sendable {
    var exporters: [any SignpostExporter]
    var gauges: [Gauge] = []
    /// Intervals that have begun. `isTold`: the exporters know of it.
    var open: [UInt64: (span: SignpostSpan, isTold: Bool)] = [:]
    var isFinished = false
  }

  private let inbox = Mutex(Inbox())
  private let writer: Mutex<Writer>
  private let ids = Atomic<UInt64>(0)
  private let queue = DispatchQueue(label: "preheat.signposts")
  private let interval: Int

  /// - Parameters:
  ///   - exporters: Told of everything in the same order, one after the other.
  ///   - milliseconds: What a kill costs at most.
  public init(exporters: [any SignpostExporter], flushEvery milliseconds: Int = 100) {
    writer = Mutex(Writer(exporters: exporters, gauges: [Gauge(counter: .memory, value: ProcessMemory.resident)]))
    interval = milliseconds
    tick()
  }

  func newID() -> UInt64 { ids.add(1, ordering: .relaxed).newValue }

  func begin(_ span: SignpostSpan) { note(.begin(span)) }
  func end(_ id: UInt64, at time: Int64, _ metadata: SignpostMetadata) { note(.end(id, time: time, metadata)) }
  func add(_ span: SignpostSpan) { note(.interval(span)) }
  func event(_ span: SignpostSpan) { note(.event(span)) }

  func sample(_ counter: SignpostCounter, _ value: @escaping @Sendable () -> Int) {
    writer.withLock { writer in
      writer.gauges.removeAll { $0.counter == counter }
      writer.gauges.append(Gauge(counter: counter, value: value))
    }
  }

  private func note(_ note: Note) {
    let isFull = inbox.withLock { inbox in
      guard !inbox.isClosed else { return false }
      inbox.notes.append(note)
      return inbox.notes.count == Self.fullList
    }
    if isFull { queue.async { self.flush() } }
  }

  /// Hands on what has come until now. Seldom of use: it happens by itself.
  public func flush() {
    writer.withLock { writer in
      guard !writer.isFinished else { return }
      let records = writer.records(of: inbox.withLock { $0.takeAll() })
      for exporter in writer.exporters { exporter.write(records) }
    }
  }

  /// Ends the recording. What is set later is dropped; intervals that are open stay without an end.
  public func close() {
    inbox.withLock { $0.isClosed = true }
    flush()
    writer.withLock { writer in
      guard !writer.isFinished else { return }
      writer.isFinished = true
      let open = writer.open.values.map(\.span).sorted { ($0.begin, $0.id) < ($1.begin, $1.id) }
      for exporter in writer.exporters { exporter.finish(open: open, at: SignpostClock.now) }
      writer.open = [:]
      writer.gauges = []
    }
  }

  private func tick() {
    queue.asyncAfter(deadline: .now() + .milliseconds(interval)) { [weak self] in
      guard let self, !self.inbox.withLock({ $0.isClosed }) else { return }
      self.flush()
      self.tick()
    }
  }
}

extension SignpostRecorder.Inbox {
  fileprivate mutating func takeAll() -> [SignpostRecorder.Note] {
    let count = notes.count
    defer {
      notes = []
      notes.reserveCapacity(count)
    }
    return notes
  }
}

extension SignpostRecorder.Writer {
  fileprivate mutating func records(of notes: [SignpostRecorder.Note]) -> [SignpostRecord] {
    var records: [SignpostRecord] = []
    records.reserveCapacity(notes.count)
    var begun: [UInt64] = []
    for note in notes {
      switch note {
      case .begin(let span):
        open[span.id] = (span, false)
        begun.append(span.id)
      case .end(let id, let time, let metadata):
        guard var (span, isTold) = open.removeValue(forKey: id) else { continue }
        span.end = max(span.begin, time)
        span.metadata.merge(metadata)
        records.append(.interval(span, wasBegun: isTold))
      case .interval(let span): records.append(.interval(span, wasBegun: false))
      case .event(let span): records.append(.event(span))
      }
    }
    for id in begun {
      guard let (span, _) = open[id] else { continue }
      open[id] = (span, true)
      records.append(.begun(span))
    }
    let now = SignpostClock.now
    for index in gauges.indices {
      if let value = gauges[index].change() {
        records.append(.counter(gauges[index].counter, value: value, time: now))
      }
    }
    return records
  }
}
