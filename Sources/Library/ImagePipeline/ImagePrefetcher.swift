import Concurrency
import Foundation
import NukeCache

/// Loads images ahead of their use: Nuke's `ImagePrefetcher`. Letting go of it cancels what it has begun.
public final class ImagePrefetcher: Sendable {
  /// How far requests are carried out.
  public enum Destination: Sendable, Hashable {
    /// Complete image requests: decoded, processed, in memory, and on disk as the policy says.
    case memoryCache
    /// Only the data, for the disk cache. Nothing is decoded; with a policy that stores encoded images
    /// there is nothing to store.
    case diskCache
  }

  struct State {
    var priority = ImageRequest.Priority.low
    var lastNumber = 0
    var tasks: [ImageKey: (number: Int, task: Task<Void, Never>, priority: WorkPriority)] = [:]
    var onCompletion: (@Sendable () -> Void)?
  }

  private let pipeline: ImagePipeline
  private let destination: Destination
  let queue: WorkQueue
  let state = Locked(State())

  /// A prefetcher of its own queue, which takes two requests at once by default.
  public init(
    pipeline: ImagePipeline = .shared, destination: Destination = .memoryCache,
    maxConcurrentRequestCount: Int = 2
  ) {
    self.pipeline = pipeline
    self.destination = destination
    queue = WorkQueue(limit: maxConcurrentRequestCount)
  }

  deinit { stopPrefetching() }

  /// While it is paused nothing new is begun.
  public var isPaused: Bool {
    get { queue.isPaused }
    set { queue.isPaused = newValue }
  }

  /// Of all its requests, those under way too; low by default, so that others go first.
  public var priority: ImageRequest.Priority {
    get { state.withLock { $0.priority } }
    set {
      let priorities = state.withLock { state in
        state.priority = newValue
        return state.tasks.values.map(\.priority)
      }
      for priority in priorities { priority.set(newValue) }
    }
  }

  /// Called when all that was asked for is done, each time.
  public var didComplete: (@Sendable () -> Void)? {
    get { state.withLock { $0.onCompletion } }
    set { state.withLock { $0.onCompletion = newValue } }
  }

  /// Begins to load these URLs, without processors.
  public func startPrefetching(with urls: [URL]) {
    startPrefetching(with: urls.map { ImageRequest(url: $0) })
  }

  /// Requests under way are not begun again, and those in memory already are left out.
  public func startPrefetching(with requests: [ImageRequest]) {
    for request in requests { start(request) }
    // For requests that had nothing to be done.
    complete(nil, number: 0)
  }

  /// Cancels the requests of these URLs without processors.
  public func stopPrefetching(with urls: [URL]) {
    stopPrefetching(with: urls.map { ImageRequest(url: $0) })
  }

  /// Cancels these requests; what others wait for too goes on.
  public func stopPrefetching(with requests: [ImageRequest]) {
    let stopped = state.withLock { state in
      requests.compactMap {
        state.tasks.removeValue(forKey: ImageKey($0.asImageRequest(for: pipeline.version)))?.task
      }
    }
    for task in stopped { task.cancel() }
  }

  /// Stops everything.
  public func stopPrefetching() {
    let stopped = state.withLock { state in
      defer { state.tasks = [:] }
      return state.tasks.values.map(\.task)
    }
    for task in stopped { task.cancel() }
  }

  private func start(_ request: ImageRequest) {
    let request = request.asImageRequest(for: pipeline.version)
    let key = ImageKey(request)
    guard pipeline.cache(for: request)[request] == nil else { return }
    state.withLock { state in
      guard state.tasks[key] == nil else { return }
      state.lastNumber += 1
      let (number, priority) = (state.lastNumber, WorkPriority(state.priority))
      // It must not keep the prefetcher, whose end cancels it.
      let task = Task { [weak self, pipeline, destination, queue] in
        let context = WorkContext(priority: priority) { _ in }
        try? await queue.run(priority) {
          switch destination {
          case .memoryCache: _ = try await pipeline.response(for: request, context)
          case .diskCache: _ = try await pipeline.data(for: request, context)
          }
        }
        self?.complete(key, number: number)
      }
      state.tasks[key] = (number, task, priority)
    }
  }

  private func complete(_ key: ImageKey?, number: Int) {
    let onCompletion = state.withLock { state in
      if let key, state.tasks[key]?.number == number { state.tasks[key] = nil }
      return state.tasks.isEmpty ? state.onCompletion : nil
    }
    onCompletion?()
  }
}
