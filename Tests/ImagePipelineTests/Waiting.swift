@testable import Concurrency
@testable import ImagePipeline

extension Coalescer {
  /// Who waits, for whatever work.
  var waiting: Int { state.withLock { $0.entries.values.reduce(0) { $0 + $1.waiting.count } } }
}
