import Concurrency

/// The idle workers, and the jobs that wait for one in the order in which they came.
///
/// A worker that is done with a job takes its next one by itself: between two pictures its process waits for no other
/// thread to wake.
final class WorkerQueue: Sendable {
  struct Job: Sendable {
    fileprivate let ticket: Int
    /// Gives back what hands the result over, for when the worker has its next job or is idle: who gets the last result may
    /// end the pool at once.
    let run: @Sendable (isolated RenderWorker) -> @Sendable () -> Void
    /// In place of `run`.
    fileprivate let refuse: @Sendable () -> Void
  }

  private struct State {
    /// The last one back is the first one out: a quiet pool keeps few processes.
    var idle: [RenderWorker]
    var waiting: [Job] = []
    /// The worker that has a ticket's job.
    var running: [Int: RenderWorker] = [:]
    var nextTicket = 0
    var isClosed = false

    /// The switch belongs to the job from here on, or a cancellation just now would be forgotten at its beginning.
    mutating func begin(_ job: Job, _ worker: RenderWorker) {
      running[job.ticket] = worker
      worker.killSwitch.reset()
    }
  }

  private let state: Locked<State>

  init(_ workers: [RenderWorker]) { state = Locked(State(idle: workers.reversed())) }

  /// How many wait.
  var length: Int { state.withLock { $0.waiting.count } }

  /// Has a worker do something. Where the task is cancelled meanwhile, the process that does it is killed.
  ///
  /// - Returns: nil where the task was cancelled or the queue closed before a worker began.
  func run<Value: Sendable>(
    _ body: @escaping @Sendable (isolated RenderWorker) -> Value
  ) async -> Value? {
    let ticket = state.withLock { state in
      state.nextTicket += 1
      return state.nextTicket - 1
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        add(
          Job(
            ticket: ticket,
            run: { worker in
              let value = body(worker)
              return { continuation.resume(returning: value) }
            },
            refuse: { continuation.resume(returning: nil) }))
      }
    } onCancel: {
      let job = state.withLock { state -> Job? in
        state.running[ticket]?.killSwitch.pull()
        return state.waiting.firstIndex { $0.ticket == ticket }.map { state.waiting.remove(at: $0) }
      }
      job?.refuse()
    }
  }

  private func add(_ job: Job) {
    let (isRefused, idle) = state.withLock { state -> (Bool, RenderWorker?) in
      if state.isClosed || Task.isCancelled { return (true, nil) }
      if let worker = state.idle.popLast() {
        state.begin(job, worker)
        return (false, worker)
      }
      state.waiting.append(job)
      return (false, nil)
    }
    if isRefused { job.refuse() }
    guard let idle else { return }
    Task.detached(executorPreference: CallingThread.shared) { await idle.serve(job, from: self) }
  }

  /// The next job of a worker that is done with one; nil where it has none to do, and is idle.
  func next(for worker: RenderWorker, after done: Job) -> Job? {
    state.withLock { state in
      state.running[done.ticket] = nil
      guard !state.waiting.isEmpty else {
        state.idle.append(worker)
        return nil
      }
      let job = state.waiting.removeFirst()
      state.begin(job, worker)
      return job
    }
  }

  /// Sends all that wait away, and all that come later.
  func close() {
    let waiting = state.withLock { state in
      state.isClosed = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for job in waiting { job.refuse() }
  }
}

/// Begins a task on the thread that makes it, from where it goes to its actor's own: all threads of Swift's pool may be
/// held by callers that wait for a picture.
private final class CallingThread: TaskExecutor {
  static let shared = CallingThread()

  func enqueue(_ job: consuming ExecutorJob) {
    UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor())
  }
}
