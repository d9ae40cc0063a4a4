import Concurrency
import Fetching

/// Tells everybody who listens how far a download is.
final class ProgressReporter: Sendable {
  package typealias Progress = ImageTask.Progress

  private struct State {
    package var current = Progress(completed: 0, total: 0)
    package var isFinished = false
    var listeners: [AsyncStream<Progress>.Continuation] = []
  }

  private let state = Locked(State())

  package var current: Progress { state.withLock { $0.current } }

  package func stream() -> AsyncStream<Progress> {
    let (stream, continuation) = AsyncStream<Progress>.makeStream(bufferingPolicy: .bufferingNewest(64))
    let isFinished = state.withLock { state in
      if !state.isFinished { state.listeners.append(continuation) }
      return state.isFinished
    }
    if isFinished { continuation.finish() }
    return stream
  }

  package func report(_ progress: HTTPProgress) {
    let progress = Progress(completed: progress.received, total: progress.total ?? 0)
    let listeners = state.withLock { state in
      state.current = progress
      return state.listeners
    }
    for listener in listeners { listener.yield(progress) }
  }

  package func finish() {
    let listeners = state.withLock { state in
      defer { state.listeners = [] }
      state.isFinished = true
      return state.listeners
    }
    for listener in listeners { listener.finish() }
  }
}
