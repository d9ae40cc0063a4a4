import Concurrency
import Fetching
import Foundation
import Pictures

/// Loads over HTTP, through an HTTP cache on disk if it has one.
public final class DataLoader: Sendable {
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

  func loadData(for request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
    let made = madeParts.withLock { made in
      let parts = made ?? parts()
      made = parts
      return parts
    }
    guard let cache = made.cache else { return try await made.loader.load(request) }
    return try await cache.load(request) { (request) async throws(HTTPFailure) in
      try await made.loader.load(request)
    }
  }
}
