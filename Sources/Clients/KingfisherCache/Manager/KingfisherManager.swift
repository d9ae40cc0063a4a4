import Foundation

/// Gets images from a cache or else downloads, draws and caches them: Kingfisher's `KingfisherManager`.
///
/// What downloads and draws is handed in, since this package does neither. `retrieveImage` is what
/// `imageView.kf.setImage` does, without the view.
public final class KingfisherManager: Sendable {
  /// Where images are looked for and stored unless a request names another cache.
  public let cache: ImageCache
  private let loader: (any ImageLoading)?

  /// - Parameters:
  ///   - loader: downloads and draws; nil for a manager that only knows its caches.
  ///   - cache: where images are looked for and stored.
  public init(loader: (any ImageLoading)? = nil, cache: ImageCache = .default) {
    (self.loader, self.cache) = (loader, cache)
  }

  /// The image of a resource, from memory, from disk, made of its cached original, or downloaded.
  ///
  /// - Throws: ``KingfisherError``; `.cacheError(.imageNotExisting)` for `.onlyFromCache` and nothing there.
  public func retrieveImage(
    with resource: any Resource, options: KingfisherOptionsInfo? = nil
  ) async throws(KingfisherError) -> RetrieveImageResult {
    let options = RequestOptions(options)
    let target = options.targetCache ?? cache
    let key = resource.cacheKey(in: target.version)
    var original: Data?
    if !options.forceRefresh {
      let found = try await target.image(key, .processor(options.processor))
      if let image = found.image { return RetrieveImageResult(image: image, cacheType: found.cacheType) }
      if !options.processor.identifier.isEmpty { original = try await target.image(key, nil).image?.data }
      if original == nil, options.onlyFromCache { throw .cacheError(reason: .imageNotExisting(key: key)) }
    }
    let data = if let original { original } else { try await download(resource.downloadURL) }
    let image = try await draw(data, options)
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      target.store(image, target.computedKey(key, options), options, toDisk: true) { _ in
        if options.waitForCache { continuation.resume() }
      }
      if !options.waitForCache { continuation.resume() }
    }
    return RetrieveImageResult(image: image, cacheType: .none)
  }

  /// The same with a handler.
  ///
  /// - Returns: the request; cancelling it ends the download.
  @discardableResult
  public func retrieveImage(
    with resource: any Resource, options: KingfisherOptionsInfo? = nil,
    completionHandler: (@Sendable (Result<RetrieveImageResult, KingfisherError>) -> Void)?
  ) -> Task<Void, Never> {
    Task {
      let result: Result<RetrieveImageResult, KingfisherError>
      do throws(KingfisherError) {
        result = .success(try await retrieveImage(with: resource, options: options))
      } catch {
        result = .failure(error)
      }
      completionHandler?(result)
    }
  }

  private func download(_ url: URL) async throws(KingfisherError) -> Data {
    do {
      if url.isFileURL { return try Data(contentsOf: url) }
      guard let loader else { throw NoLoader() }
      return try await loader.download(url)
    } catch {
      if Task.isCancelled { throw .taskCancelled }
      throw .downloadFailed(url: url.absoluteString, error: error)
    }
  }

  private func draw(_ data: Data, _ options: RequestOptions) async throws(KingfisherError)
    -> KFCrossPlatformImage
  {
    let identifier = options.processor.identifier
    var reason: String?
    do {
      let processors = options.processor.drawing
      let drawn: Data?
      if let loader {
        drawn = try await loader.render(data, processors: processors, scaleFactor: options.scaleFactor)
      } else {
        guard processors.isEmpty else { throw NoLoader() }
        drawn = data
      }
      if let image = drawn.flatMap({ KFCrossPlatformImage(data: $0) }) { return image }
    } catch {
      if Task.isCancelled { throw .taskCancelled }
      reason = "\(error)"
    }
    throw .processingFailed(identifier: identifier, reason: reason)
  }

  private struct NoLoader: Error, CustomStringConvertible {
    let description = "this manager has nothing that downloads and draws"
  }
}

extension ImageCache {
  fileprivate func image(
    _ key: String, _ processor: KingfisherOptionsInfoItem?
  ) async throws(KingfisherError) -> ImageCacheResult {
    let result = await withCheckedContinuation { continuation in
      retrieveImage(forKey: key, options: processor.map { [$0] }) { continuation.resume(returning: $0) }
    }
    return try result.get()
  }
}

/// What a request gave: Kingfisher's `RetrieveImageResult`.
public struct RetrieveImageResult: Sendable {
  /// The image after its processor.
  public let image: KFCrossPlatformImage
  /// `.none` for what was downloaded and for what was made of a cached original.
  public let cacheType: CacheType
}

/// Downloads and draws for a manager.
public protocol ImageLoading: Sendable {
  /// The whole body, or an error. Cancelling the task ends the download.
  func download(_ url: URL) async throws -> Data

  /// Decodes an image, applies the processors in their order, and encodes the result; without processors the data itself
  /// if it is a whole image. Nil if the bytes are not an image.
  func render(_ data: Data, processors: [BuiltInProcessor], scaleFactor: Double) async throws -> Data?
}
