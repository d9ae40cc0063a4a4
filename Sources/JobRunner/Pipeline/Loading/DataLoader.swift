import Foundation
import HTTPLoading

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

  public let cache: HTTPCache?
  private let loader: HTTPLoader

  /// - Parameter configuration: limits of the loader; private addresses are refused unless it allows them.
  public init(
    configuration: HTTPConfiguration = DataLoader.defaultConfiguration,
    cache: HTTPCache? = DataLoader.sharedHTTPCache
  ) {
    loader = HTTPLoader(configuration: configuration)
    self.cache = cache
  }

  public func loadData(
    for request: HTTPRequest, progress: @escaping HTTPProgress.Handler
  ) async throws -> HTTPResponse {
    if let cache { return try await cache.load(request, through: loader, progress: progress) }
    return try await loader.load(request, progress: progress)
  }
}
