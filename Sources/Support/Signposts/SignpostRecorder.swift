import Concurrency
import Dispatch
import Synchronization

/// Collects signposts from all threads and hands them to its exporters, a few times a second and on a queue
/// of its own: who sets a signpost appends to a list and goes on.
public final class SignpostRecorder: Sendable {
  /// A list as long as this is handed on without waiting for its time.
  private static let fullList = 8192

  /// What threads have noted since it was last looked at.
  private struct Inbox {
    var notes: [SignpostNote] = []
    var isClosed = false
  }

  private let inbox = Locked(Inbox())
  private let writer: Locked<SignpostWriter>
  private let ids = Atomic<UInt64>(0)
  private let queue = DispatchQueue(label: "preheat.signposts")
  private let interval: Int

  /// - Parameters:
  ///   - exporters: They receive everything in the same order, one after the other.
  ///   - milliseconds: What a kill costs at most.
  public init(exporters: [any SignpostExporter], flushEvery milliseconds: Int = 100) {
    writer = Locked(SignpostWriter(exporters: exporters, gauges: [.memory]))
    interval = milliseconds
    tick()
  }

  func newID() -> UInt64 { ids.add(1, ordering: .relaxed).newValue }

  func sample(_ counter: SignpostCounter, _ value: @escaping @Sendable () -> Int) {
    writer.withLock { writer in
      writer.gauges.removeAll { $0.counter == counter }
      writer.gauges.append(Gauge(counter: counter, value: value))
    }
  }

  func note(_ note: SignpostNote) {
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
      let notes = inbox.withLock { inbox in
        defer { inbox.notes.removeAll(keepingCapacity: true) }
        return inbox.notes
      }
      let records = writer.records(of: notes)
      for exporter in writer.exporters { exporter.write(records) }
    }
  }

  /// Ends the recording. What is set later is dropped; intervals that are open stay without an end.
  public func close() {
    inbox.withLock { $0.isClosed = true }
    flush()
    writer.withLock { if !$0.isFinished { $0.finish() } }
  }

  /// What the exporters could not write, in words.
  public var failures: [String] { writer.withLock { $0.exporters.compactMap(\.failure) } }

  private func tick() {
    queue.asyncAfter(deadline: .now() + .milliseconds(interval)) { [weak self] in
      guard let self, !self.inbox.withLock({ $0.isClosed }) else { return }
      self.flush()
      self.tick()
    }
  }
}

/// One thing that happened, as its thread saw it.
enum SignpostNote: Sendable {
  case begin(SignpostSpan)
  case end(UInt64, time: Int64, SignpostMetadata)
  case interval(SignpostSpan)
  case event(SignpostSpan)
}
