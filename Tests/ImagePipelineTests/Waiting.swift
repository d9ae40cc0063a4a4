import Concurrency

@testable import ImagePipeline

// What waits in the parts that order a pipeline's work.

extension WorkQueue {
  var running: Int { state.withLock { $0.running } }
  var waiting: Int { state.withLock { $0.waiting.count } }
}

extension Coalescer {
  /// For whatever work.
  var waiting: Int { state.withLock { $0.entries.values.reduce(0) { $0 + $1.members.count } } }
}

extension ImagePrefetcher {
  var isIdle: Bool { state.withLock { $0.tasks.isEmpty } }
  var waiting: Int { queue.waiting }
}
