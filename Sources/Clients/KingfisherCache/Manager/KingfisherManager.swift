import Concurrency
import Foundation

/// Gets images from a cache or else downloads, draws and caches them: Kingfisher's `KingfisherManager`.
///
/// What downloads and what draws is handed in, since this package does neither. `retrieveImage` is also what
/// `imageView.kf.setImage` does, without the view.
public final class KingfisherManager: Sendable {
  private static let sharedManager = Locked<KingfisherManager?>(nil)

  /// The manager that is used where no other is named. Until another is set it knows `ImageCache.default` alone.
  public static var shared: KingfisherManager {
    get {
      sharedManager.withLock { shared in
        let manager = shared ?? KingfisherManager()
        shared = manager
        return manager
      }
    }
    set { sharedManager.withLock { $0 = newValue } }
  }

  /// Where images are looked for and stored unless a request names another cache.
  public let cache: ImageCache
  let downloader: (any ImageDownloading)?
  let renderer: (any ImageRendering)?
  let pendingStores = PendingStores()
  private let options = Locked<KingfisherOptionsInfo>([])

  /// - Parameters:
  ///   - downloader: nil for a manager that only knows its caches and files.
  ///   - renderer: nil for a manager that draws no processor but an app's own.
  ///   - cache: where images are looked for and stored.
  public init(
    downloader: (any ImageDownloading)? = nil, renderer: (any ImageRendering)? = nil,
    cache: ImageCache = .default
  ) {
    self.downloader = downloader
    self.renderer = renderer
    self.cache = cache
  }

  /// Options that hold for every request, before its own.
  public var defaultOptions: KingfisherOptionsInfo {
    get { options.withLock { $0 } }
    set { options.withLock { $0 = newValue } }
  }

  /// The image of a resource, from memory, from disk, made of its cached original, or downloaded.
  ///
  /// - Throws: ``KingfisherError``; `.cacheError(.imageNotExisting)` for `.onlyFromCache` and nothing there, and for
  ///   a file under the key that is not an image, which as in Kingfisher is not downloaded again.
  public func retrieveImage(
    with resource: any Resource, options: KingfisherOptionsInfo? = nil
  ) async throws(KingfisherError) -> RetrieveImageResult {
    try await retrieveImage(with: .network(resource), options: options)
  }

  /// The image of a source, as above.
  public func retrieveImage(
    with source: Source, options: KingfisherOptionsInfo? = nil
  ) async throws(KingfisherError) -> RetrieveImageResult {
    let request = ImageRetrieval(
      manager: self, source: source,
      options: KingfisherParsedOptionsInfo(defaultOptions + (options ?? [])))
    return try await request.result()
  }

  /// Returns when what earlier requests left to be stored is stored; a program that ends before loses it.
  public func waitForStores() async { await pendingStores.wait() }
}

/// What a request gave: Kingfisher's `RetrieveImageResult`.
public struct RetrieveImageResult: Sendable {
  /// The image after its processor.
  public let image: KFCrossPlatformImage
  /// `.none` for what was downloaded and for what was made of a cached original.
  public let cacheType: CacheType
  /// What was asked for.
  public let source: Source
}

/// Downloads for a manager.
public protocol ImageDownloading: Sendable {
  /// The whole body, or an error. Cancelling the task ends the download.
  func download(_ url: URL) async throws -> Data
}

/// Draws Kingfisher's own processors for a manager.
public protocol ImageRendering: Sendable {
  /// Decodes an image, applies the processors in their order, and encodes the result.
  ///
  /// - Parameters:
  ///   - data: the encoded image.
  ///   - processors: at least one.
  ///   - scaleFactor: pixels a point.
  /// - Returns: nil if the bytes are not an image.
  func render(
    _ data: Data, processors: [BuiltInProcessor], scaleFactor: Double
  ) async throws -> KFCrossPlatformImage?
}
