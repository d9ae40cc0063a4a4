import Fetching

/// Loads the data of URLs for a pipeline. It may be called from any thread.
public protocol DataLoading: Sendable {
  /// The whole body. Cancelling the task ends the load.
  ///
  /// A load that was cut off may throw an `HTTPFailure` with a ``HTTPFailure/partialBody``: the pipeline
  /// then goes on from there, with `Range` and `If-Range` among the headers of the next request.
  ///
  /// - Parameter progress: to be called as the body comes in.
  func loadData(
    for request: HTTPRequest, progress: @escaping HTTPProgress.Handler
  ) async throws -> HTTPResponse
}
