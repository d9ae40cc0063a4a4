import Concurrency
import Fetching
import Foundation
import Pictures

/// Loads over HTTP, through an HTTP cache on disk if it has one.
public final class DataLoader: DataLoading {
  /// The HTTP cache that loaders share unless they are given another: 150 MiB in the user's caches folder.
  /// Nil where that folder cannot be made.
  public static let sharedHTTPCache: HTTPCache? = {
    let caches = try? FileManager.default.url(
      for: .cachesDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
    return caches.flatMap { try? HTTPCache(folder: $0.appendingPathComponent("preheat/http")) }
  }()

  /// As Nuke has it: a failed load is not tried again.
  public static var defaultConfiguration: HTTPConfiguration {
    var configuration = HTTPConfiguration()
    configuration.retries = 0
    return configuration
  }

  private typealias Parts = (loader: HTTPLoader, cache: HTTPCache?)

  private let parts: @Sendable () -> Parts
  private let madeParts = Locked<Parts?>(nil)

  /// Nothing is begun and no folder made before the first load.
  ///
  /// - Parameters:
  ///   - configuration: limits of the loader; private addresses are refused unless it allows them.
  ///   - cache: the HTTP cache on disk; nil for none.
  public init(
    configuration: HTTPConfiguration = DataLoader.defaultConfiguration,
    cache: @autoclosure @escaping @Sendable () -> HTTPCache? = DataLoader.sharedHTTPCache
  ) {
    parts = {
      var configuration = configuration
      configuration.mayBeCut = PictureStructure.mayBeCut
      return (HTTPLoader(configuration: configuration), cache())
    }
  }

  /// The HTTP cache; nil for none. Asking for it opens it.
  public var cache: HTTPCache? { made.cache }

  private var made: Parts {
    madeParts.withLock { made in
      if let made { return made }
      let parts = parts()
      made = parts
      return parts
    }
  }

  public func loadData(
    for request: HTTPRequest, progress: @escaping HTTPProgress.Handler
  ) async throws -> HTTPResponse {
    let parts = made
    if let cache = parts.cache {
      return try await cache.load(request) { (request) async throws(HTTPFailure) in
        try await parts.loader.load(request, progress: progress)
      }
    }
    return try await parts.loader.load(request, progress: progress)
  }
}

/// Loads the data of URLs for a pipeline. It may be called from any thread.
public protocol DataLoading: Sendable {
  /// The whole body. Cancelling the task ends the load.
  ///
  /// A load that was cut off may throw an `HTTPFailure` with a ``HTTPFailure/partialBody``: the pipeline
  /// then goes on from there, with `Range` and `If-Range` among the headers of the next request.
  ///
  /// - Parameters:
  ///   - request: the URL, with the fields to send.
  ///   - progress: to be called as the body comes in.
  func loadData(
    for request: HTTPRequest, progress: @escaping HTTPProgress.Handler
  ) async throws -> HTTPResponse
}
