import Concurrency

/// Keeps what a report says about time: how long each operation took.
///
/// It holds 16 bytes for each interval, at most ``limit`` of an operation.
public final class SignpostCollector: SignpostExporter {
  /// Intervals of one operation that are kept; a report does not become truer by more.
  public static let limit = 200_000

  private let state = Locked([SignpostName: OperationSamples]())

  /// An empty one.
  public init() {}

  public func write(_ records: [SignpostRecord]) {
    state.withLock { operations in
      for case .interval(let span, _) in records {
        operations[span.name, default: OperationSamples()].add(
          begin: span.begin, duration: span.duration, limit: Self.limit)
      }
    }
  }

  /// Longest total first.
  public func operations() -> [OperationStatistics] {
    let samples = state.withLock { $0 }
    return samples.map { name, samples in
      var samples = samples
      samples.closeLog()
      return OperationStatistics(name: name.rawValue, samples)
    }.sorted { ($1.total, $0.name) < ($0.total, $1.name) }
  }
}
