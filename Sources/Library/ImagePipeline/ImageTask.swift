import Fetching
import NukeCache

/// A request under way: Nuke's `ImageTask`. It goes on without a reference to it.
public final class ImageTask: Sendable {
  /// What is loaded.
  public let request: ImageRequest
  private let workPriority: WorkPriority
  private let work: Task<ImageResponse, any Error>

  init(_ request: ImageRequest, in pipeline: ImagePipeline) {
    let priority = WorkPriority(request.priority)
    (self.request, workPriority) = (request, priority)
    work = Task { try await pipeline.response(for: request, priority) }
  }

  /// Changes the place of what waits for this request: download, decoding, processing.
  public var priority: ImageRequest.Priority {
    get { workPriority.value }
    set { workPriority.set(newValue) }
  }

  /// Cancels the request. Work that other requests wait for too goes on.
  public func cancel() { work.cancel() }

  /// The result, as often as it is asked for. Cancelling the task that waits here cancels the request.
  public var response: ImageResponse {
    get async throws(ImagePipeline.Error) {
      let result = await withTaskCancellationHandler {
        await work.result
      } onCancel: {
        cancel()
      }
      if work.isCancelled { throw .cancelled }
      do { return try result.get() } catch { throw ImagePipeline.Error(error) }
    }
  }

  /// The picture alone; see ``response``.
  public var image: PlatformImage {
    get async throws(ImagePipeline.Error) { try await response.image }
  }
}

/// What the pipeline gives for an image request: Nuke's `ImageResponse`.
public struct ImageResponse: Sendable {
  /// The image with what is known about it.
  public let container: ImageContainer
  /// The request as it was made.
  public let request: ImageRequest
  /// What the server said, without the body; nil where the image came from a cache of the pipeline's or from no server.
  public let urlResponse: HTTPResponse?
  /// The cache that the image, or what it was made of, came from; nil for a load from the source.
  public let cacheType: CacheType?

  /// The picture.
  public var image: PlatformImage { container.image }

  /// A cache of the pipeline's.
  public enum CacheType: String, Sendable, Hashable {
    /// The images in memory, and the data on disk.
    case memory, disk
  }
}

/// What an app would give Nuke in a `URLRequest`.
extension ImageRequest {
  /// Header fields that are sent with the request. They are not part of any key.
  public var headers: [HTTPHeader] {
    get { userInfo["preheat.headers"] as? [HTTPHeader] ?? [] }
    set { userInfo["preheat.headers"] = newValue }
  }

  /// When the HTTP cache answers; the pipeline's own caches take no notice.
  public var httpCachePolicy: HTTPCachePolicy {
    get { userInfo["preheat.http-cache-policy"] as? HTTPCachePolicy ?? .useProtocol }
    set { userInfo["preheat.http-cache-policy"] = newValue }
  }

  /// The request as the loader sends it; nil without a URL.
  public var httpRequest: HTTPRequest? {
    url.map {
      HTTPRequest(
        url: $0.absoluteString, headers: headers,
        priority: HTTPRequest.Priority(rawValue: priority.rawValue) ?? .normal, cachePolicy: httpCachePolicy)
    }
  }
}
