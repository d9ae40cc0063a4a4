#if os(Linux)
  import Dispatch
  import Glibc

  /// Runs an actor on one thread of its own, from its first job until it is gone.
  ///
  /// The actor may then wait for a process without holding a thread of Swift's cooperative pool. And the
  /// thread has to last: a worker that asks to die with its parent (`PR_SET_PDEATHSIG`) dies with the
  /// thread that started it, and those of Dispatch end when they were idle for some seconds.
  package final class BlockingExecutor: SerialExecutor {
    private let inbox = Inbox()

    package init() {}

    package func enqueue(_ job: consuming ExecutorJob) {
      inbox.add(Inbox.Entry(job: UnownedJob(job), executor: self))
    }

    deinit { inbox.close() }
  }

  /// Jobs on their way to the thread, which holds this and not the executor: that may so come to its end.
  private final class Inbox: Sendable {
    struct Entry: Sendable {
      var job: UnownedJob
      var executor: BlockingExecutor
    }

    private struct State {
      var entries: [Entry] = []
      var isStarted = false
    }

    private let state = Locked(State())
    private let arrival = DispatchSemaphore(value: 0)

    func add(_ entry: Entry) {
      let isFirst = state.withLock { state in
        state.entries.append(entry)
        defer { state.isStarted = true }
        return !state.isStarted
      }
      arrival.signal()
      if isFirst { start() }
    }

    /// No entry is left when the executor goes, for each holds it: the thread wakes to nothing and ends.
    func close() { arrival.signal() }

    private func start() {
      let retained = Unmanaged.passRetained(self)
      var thread = pthread_t()
      let code = pthread_create(
        &thread, nil,
        { argument in
          if let argument { Unmanaged<Inbox>.fromOpaque(argument).takeRetainedValue().serve() }
          return nil
        }, retained.toOpaque())
      guard code == 0 else {
        // The system gives no more threads. Dispatch may have one left.
        retained.release()
        return DispatchQueue.global().async { self.serve() }
      }
      pthread_detach(thread)
    }

    private func serve() {
      while let entry = next() {
        entry.job.runSynchronously(on: entry.executor.asUnownedSerialExecutor())
      }
    }

    private func next() -> Entry? {
      arrival.wait()
      return state.withLock { $0.entries.isEmpty ? nil : $0.entries.removeFirst() }
    }
  }
#endif
