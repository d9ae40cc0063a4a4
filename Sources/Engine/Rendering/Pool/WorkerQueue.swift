import Concurrency

/// The idle workers, and the tasks that wait for one in the order in which they came.
final class WorkerQueue: Sendable {
  private typealias Waiter = CheckedContinuation<RenderWorker?, Never>

  private struct State {
    /// The last one back is the first one out: a quiet pool keeps few processes.
    var idle: [RenderWorker]
    var waiters: [Int: Waiter] = [:]
    /// Tickets up to here have been served or have given up.
    var nextServed = 0
    var nextTicket = 0
    var isClosed = false

    mutating func nextWaiter() -> Waiter? {
      while nextServed < nextTicket {
        nextServed += 1
        if let waiter = waiters.removeValue(forKey: nextServed - 1) { return waiter }
      }
      return nil
    }
  }

  private let state: Locked<State>

  init(_ workers: [RenderWorker]) { state = Locked(State(idle: workers.reversed())) }

  /// How many wait.
  var length: Int { state.withLock { $0.waiters.count } }

  /// A worker for the caller alone, to be given back; nil where the task was cancelled or the queue closed.
  func take() async -> RenderWorker? {
    let ticket = state.withLock { state in
      state.nextTicket += 1
      return state.nextTicket - 1
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer = state.withLock { state -> RenderWorker?? in
          if state.isClosed || Task.isCancelled { return .some(nil) }
          if let worker = state.idle.popLast() { return worker }
          state.waiters[ticket] = continuation
          // A worker may have been given back since the ticket was taken, when nobody stood here yet.
          state.nextServed = min(state.nextServed, ticket)
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: ticket) }?.resume(returning: nil)
    }
  }

  func giveBack(_ worker: RenderWorker) {
    let waiter = state.withLock { state -> Waiter? in
      if let waiter = state.nextWaiter() { return waiter }
      state.idle.append(worker)
      return nil
    }
    waiter?.resume(returning: worker)
  }

  /// Sends all waiters away, and whoever comes later.
  ///
  /// - Returns: the workers that nobody has at the moment.
  @discardableResult
  func close() -> [RenderWorker] {
    let (waiters, idle) = state.withLock { state in
      state.isClosed = true
      defer { state.waiters = [:] }
      return (Array(state.waiters.values), state.idle)
    }
    for waiter in waiters { waiter.resume(returning: nil) }
    return idle
  }
}
