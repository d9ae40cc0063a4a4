import Concurrency
import NukeCache
import Scheduling
import Synchronization

/// Lets so much work run at once and no more; of what waits the highest priority goes first.
final class WorkQueue: Sendable {
  typealias Continuation = CheckedContinuation<Void, any Error>

  struct State {
    var running = 0
    var isPaused = false
    var lastTicket: UInt64 = 0
    var waiting = PriorityLine()
    var continuations: [UInt64: Continuation] = [:]
  }

  private let limit: Int
  let state = Locked(State())

  init(limit: Int) { self.limit = max(1, limit) }

  /// While it is paused nothing is begun; what runs goes on.
  var isPaused: Bool {
    get { state.withLock { $0.isPaused } }
    set {
      state.withLock { $0.isPaused = newValue }
      resumeWaiting()
    }
  }

  /// Runs work when there is a place for it.
  ///
  /// - Throws: `CancellationError` where the task is cancelled before, and what `work` throws.
  func run<Value: Sendable>(
    _ priority: WorkPriority, _ work: () async throws -> Value
  ) async throws -> Value {
    try await enter(priority)
    defer { leave() }
    return try await work()
  }

  private func enter(_ priority: WorkPriority) async throws {
    let ticket = state.withLock { state in
      state.lastTicket += 1
      return state.lastTicket
    }
    let observer = priority.observe { [weak self, weak priority] in
      guard let self, let priority else { return }
      state.withLock { $0.waiting.move(ticket, to: priority.queued) }
    }
    defer { priority.removeObserver(observer) }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: Continuation) in
        let isCancelled = state.withLock { state in
          if Task.isCancelled { return true }
          state.waiting.insert(PriorityLine.Entry(ticket: ticket, priority: priority.queued))
          state.continuations[ticket] = continuation
          return false
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
        resumeWaiting()
      }
    } onCancel: {
      let continuation = state.withLock { state in
        state.waiting.remove(ticket)
        return state.continuations.removeValue(forKey: ticket)
      }
      continuation?.resume(throwing: CancellationError())
    }
  }

  private func leave() {
    state.withLock { $0.running -= 1 }
    resumeWaiting()
  }

  private func resumeWaiting() {
    let next = state.withLock { state in
      var next: [Continuation] = []
      while !state.isPaused, state.running < limit, let entry = state.waiting.popFirst(),
        let continuation = state.continuations.removeValue(forKey: entry.ticket)
      {
        state.running += 1
        next.append(continuation)
      }
      return next
    }
    for continuation in next { continuation.resume() }
  }
}

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
  var taken: Int { count.load(ordering: .relaxed) }

  /// - Throws: `CancellationError`; a request that is cancelled while it waits costs nothing.
  func wait() async throws {
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
