import Concurrency
import Dispatch
import Synchronization

/// Collects signposts from all threads and hands them to its exporters, a few times a second and on a queue
/// of its own: who sets a signpost appends to a list and goes on.
public final class SignpostRecorder: Sendable {
  /// A list as long as this is handed on without waiting for its time.
  private static let fullList = 8192

  private let inbox = Locked(SignpostInbox())
  private let writer: Locked<SignpostWriter>
  private let ids = Atomic<UInt64>(0)
  private let queue = DispatchQueue(label: "preheat.signposts")
  private let interval: Int

  /// - Parameters:
  ///   - exporters: Told of everything in the same order, one after the other.
  ///   - milliseconds: What a kill costs at most.
  public init(exporters: [any SignpostExporter], flushEvery milliseconds: Int = 100) {
    writer = Locked(
      SignpostWriter(
        exporters: exporters, gauges: [Gauge(counter: .memory, value: ProcessMemory.resident)]))
    interval = milliseconds
    tick()
  }

  func newID() -> UInt64 { ids.add(1, ordering: .relaxed).newValue }

  func begin(_ span: SignpostSpan) { note(.begin(span)) }
  func end(_ id: UInt64, at time: Int64, _ metadata: SignpostMetadata) {
    note(.end(id, time: time, metadata))
  }
  func add(_ span: SignpostSpan) { note(.interval(span)) }
  func event(_ span: SignpostSpan) { note(.event(span)) }

  func sample(_ counter: SignpostCounter, _ value: @escaping @Sendable () -> Int) {
    writer.withLock { writer in
      writer.gauges.removeAll { $0.counter == counter }
      writer.gauges.append(Gauge(counter: counter, value: value))
    }
  }

  private func note(_ note: SignpostNote) {
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
      writer.finish()
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

extension SignpostRecorder {
  /// What the exporters could not write, in words.
  public var failures: [String] { writer.withLock { $0.exporters.compactMap(\.failure) } }
}

/// What threads have noted since it was last looked at.
struct SignpostInbox: Sendable {
  var notes: [SignpostNote] = []
  var isClosed = false

  mutating func takeAll() -> [SignpostNote] {
    let count = notes.count
    defer {
      notes = []
      notes.reserveCapacity(count)
    }
    return notes
  }
}

/// One thing that happened, as its thread saw it.
enum SignpostNote: Sendable {
  case begin(SignpostSpan)
  case end(UInt64, time: Int64, SignpostMetadata)
  case interval(SignpostSpan)
  case event(SignpostSpan)
}
