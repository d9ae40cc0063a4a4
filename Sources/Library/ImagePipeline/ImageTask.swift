import Concurrency
import Fetching
import NukeCache

/// A request under way: Nuke's `ImageTask`. It goes on without a reference to it.
public final class ImageTask: Sendable {
  /// Whether the request is still under way.
  public enum State: Sendable, Hashable {
    /// A task is completed when its ``response`` was read, with or without an image.
    case running, cancelled, completed
  }

  /// Bytes of the download.
  public struct Progress: Sendable, Hashable {
    /// Bytes so far.
    public var completed: Int64
    /// 0 where the server does not say.
    public var total: Int64
    /// 0 to 1; 0 where the total is not known.
    public var fraction: Double { total > 0 ? min(1, Double(completed) / Double(total)) : 0 }

    /// Bytes so far and in all.
    public init(completed: Int64, total: Int64) {
      self.completed = completed
      self.total = total
    }
  }

  /// A step of a request, as in Nuke 13.
  public enum Event: Sendable {
    /// More of the download is there.
    case progress(Progress)
    /// A picture that is not complete yet; never sent here, where no screen shows an image come in.
    case preview(ImageResponse)
    /// The last event. A cancelled request fails with `cancelled`.
    case finished(Result<ImageResponse, ImagePipeline.Error>)
  }

  /// What is loaded.
  public let request: ImageRequest
  let workPriority: WorkPriority
  private let reporter = ProgressReporter()
  private let stateStorage = Locked(State.running)
  private let work: Task<ImageResponse, any Error>

  init(
    _ request: ImageRequest, _ load: @escaping @Sendable (WorkContext) async throws -> ImageResponse
  ) {
    self.request = request
    let priority = WorkPriority(request.priority)
    let reporter = reporter
    workPriority = priority
    work = Task {
      defer { reporter.finish() }
      return try await load(WorkContext(priority: priority) { reporter.report($0) })
    }
  }

  /// Changes the place of what waits for this request: download, decoding, processing.
  public var priority: ImageRequest.Priority {
    get { workPriority.value }
    set { workPriority.set(newValue) }
  }

  /// Where the request stands.
  public var state: State { stateStorage.withLock { $0 } }

  /// Cancels the request. Work that other requests wait for too goes on.
  public func cancel() {
    let wasRunning = stateStorage.withLock { state in
      defer { if state == .running { state = .cancelled } }
      return state == .running
    }
    if wasRunning { work.cancel() }
  }

  /// The result, as often as it is asked for. Cancelling the task that waits here cancels the request.
  public var response: ImageResponse {
    get async throws(ImagePipeline.Error) {
      let result = await withTaskCancellationHandler {
        await work.result
      } onCancel: {
        cancel()
      }
      let state = stateStorage.withLock { state in
        if state == .running { state = .completed }
        return state
      }
      if state == .cancelled { throw .cancelled }
      do { return try result.get() } catch { throw ImagePipeline.Error(error) }
    }
  }

  /// The picture alone; see ``response``.
  public var image: PlatformImage {
    get async throws(ImagePipeline.Error) { try await response.image }
  }

  /// How much is downloaded.
  public var currentProgress: Progress { reporter.current }

  /// What is downloaded from now on; it ends with the request.
  public var progress: AsyncStream<Progress> { reporter.stream() }

  /// All events from now on, up to the result.
  public var events: AsyncStream<Event> {
    let (stream, continuation) = AsyncStream<Event>.makeStream()
    let progress = progress
    Task {
      for await progress in progress { continuation.yield(.progress(progress)) }
      do throws(ImagePipeline.Error) {
        continuation.yield(.finished(.success(try await response)))
      } catch {
        continuation.yield(.finished(.failure(error)))
      }
      continuation.finish()
    }
    return stream
  }

  /// Ends with the request and gives nothing: the loaders hand over whole bodies.
  public var previews: AsyncStream<ImageResponse> {
    let (stream, continuation) = AsyncStream<ImageResponse>.makeStream()
    let progress = progress
    Task {
      for await _ in progress {}
      continuation.finish()
    }
    return stream
  }
}

extension ImageTask: Hashable {
  public static func == (a: ImageTask, b: ImageTask) -> Bool { a === b }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Tells everybody who listens how far a download is.
final class ProgressReporter: Sendable {
  typealias Progress = ImageTask.Progress

  private struct State {
    var current = Progress(completed: 0, total: 0)
    var isFinished = false
    var listeners: [AsyncStream<Progress>.Continuation] = []
  }

  private let state = Locked(State())

  var current: Progress { state.withLock { $0.current } }

  func stream() -> AsyncStream<Progress> {
    let (stream, continuation) = AsyncStream<Progress>.makeStream(bufferingPolicy: .bufferingNewest(64))
    let isFinished = state.withLock { state in
      if !state.isFinished { state.listeners.append(continuation) }
      return state.isFinished
    }
    if isFinished { continuation.finish() }
    return stream
  }

  func report(_ progress: HTTPProgress) {
    let progress = Progress(completed: progress.received, total: progress.total ?? 0)
    let listeners = state.withLock { state in
      state.current = progress
      return state.listeners
    }
    for listener in listeners { listener.yield(progress) }
  }

  func finish() {
    let listeners = state.withLock { state in
      defer { state.listeners = [] }
      state.isFinished = true
      return state.listeners
    }
    for listener in listeners { listener.finish() }
  }
}
