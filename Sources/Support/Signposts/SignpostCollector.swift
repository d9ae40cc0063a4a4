import Concurrency

/// Keeps what a report says about time: how long each operation took, and when hosts and workers were busy.
///
/// It holds 16 bytes for each interval, at most ``limit`` of an operation.
public final class SignpostCollector: SignpostExporter {
  /// Intervals of one operation that are kept; a report does not become truer by more.
  public static let limit = 200_000

  /// Nanoseconds of `CLOCK_MONOTONIC`; lanes begin here.
  public let start = SignpostClock.now
  private let state = Locked(State())

  private struct State: Sendable {
    var operations: [SignpostName: OperationSamples] = [:]
    var lanes: [SignpostLane.Owner: [Range<Int64>]] = [:]
  }

  /// An empty one, whose time begins now.
  public init() {}

  public func write(_ records: [SignpostRecord]) {
    state.withLock { state in
      for case .interval(let span, _) in records {
        state.operations[span.name, default: OperationSamples()].add(
          begin: span.begin, duration: span.duration, limit: Self.limit)
        guard let owner = SignpostLane.Owner(span) else { continue }
        state.lanes[owner, default: []].append(span.begin..<max(span.begin, span.end))
      }
    }
  }

  /// Longest total first.
  public func operations() -> [OperationStatistics] {
    let samples = state.withLock { $0.operations }
    return samples.map { name, samples in
      var samples = samples
      samples.closeLog()
      return OperationStatistics(name: name.rawValue, samples)
    }.sorted { ($1.total, $0.name) < ($0.total, $1.name) }
  }

  /// Workers by number, then hosts by the time in which they were busy, then the cache.
  ///
  /// - Parameters:
  ///   - end: Of the last slice, in nanoseconds of `CLOCK_MONOTONIC`.
  ///   - count: How many slices the time is cut into.
  package func lanes(until end: Int64 = SignpostClock.now, slices count: Int = 400) -> [SignpostLane] {
    let lanes = state.withLock { $0.lanes }
    return lanes.map { ($0, SignpostLane(owner: $0, stretches: $1, from: start, to: end, slices: count)) }
      .sorted { a, b in
        (a.0.kind.rawValue, a.0.number, b.1.busy, a.1.name) < (
          b.0.kind.rawValue, b.0.number, a.1.busy, b.1.name
        )
      }.map(\.1)
  }
}
