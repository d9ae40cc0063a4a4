import Concurrency
import Synchronization

/// Holds downloads back that are begun faster than a server and its network bear, for instance because
/// requests are made and cancelled as a list scrolls.
final class RateLimiter: Sendable {
  private let bucket: Locked<TokenBucket>
  private let count = Atomic(0)
  private let epoch = ContinuousClock.now

  /// 80 a second and 25 at once are Nuke's numbers.
  init(rate: Double = 80, burst: Int = 25) {
    bucket = Locked(TokenBucket(perSecond: rate, burst: burst))
  }

  /// Test hook: how often it was asked.
  package var taken: Int { count.load(ordering: .relaxed) }

  /// - Throws: `CancellationError`; a request that is cancelled while it waits costs nothing.
  package func wait() async throws {
    try Task.checkCancellation()
    count.add(1, ordering: .relaxed)
    let delay = bucket.withLock { $0.take(at: ContinuousClock.now - epoch) }
    guard delay > .zero else { return }
    do {
      try await Task.sleep(for: delay)
    } catch {
      bucket.withLock { $0.giveBack() }
      throw error
    }
  }
}
