import Foundation

@testable import Concurrency
@testable import KingfisherCache

/// Counts what a manager downloads.
final class CountingDownloader: ImageDownloading {
  struct Offline: Error {}

  private let state: Locked<(body: Data?, count: Int)>

  init(_ body: Data? = Data.pngBeginning(100, 50)) { state = Locked((body, 0)) }

  var count: Int { state.withLock { $0.count } }

  func download(_ url: URL) async throws -> Data {
    let body = state.withLock { state in
      state.count += 1
      return state.body
    }
    guard let body else { throw Offline() }
    return body
  }
}

/// Draws nothing but a size: ten pixels smaller for each processor.
final class CountingRenderer: ImageRendering {
  private let drawn = Locked<[[BuiltInProcessor]]>([])

  var calls: [[BuiltInProcessor]] { drawn.withLock { $0 } }

  func render(
    _ data: Data, processors: [BuiltInProcessor], scaleFactor: Double
  ) async throws -> KFCrossPlatformImage? {
    drawn.withLock { $0.append(processors) }
    guard let image = KFCrossPlatformImage(data: data) else { return nil }
    return .png(image.pixelWidth - 10 * processors.count, image.pixelHeight - 10 * processors.count)
  }
}

/// A manager over a cache of its own, offline until something is downloaded.
struct ManagerKit {
  let kit: CacheKit
  let downloader: CountingDownloader
  let renderer = CountingRenderer()
  let manager: KingfisherManager
  let url: URL

  static let blur = BlurImageProcessor(blurRadius: 4)

  init(version: KingfisherVersion = .latest, downloads body: Data? = .pngBeginning(100, 50)) throws {
    kit = try CacheKit(version: version)
    guard let url = URL(string: "https://example.com/a.png") else {
      throw CocoaError(.fileReadInvalidFileName)
    }
    self.url = url
    downloader = CountingDownloader(body)
    manager = KingfisherManager(downloader: downloader, renderer: renderer, cache: kit.cache)
  }

  var cache: ImageCache { kit.cache }
  var key: String { url.cacheKey }

  /// With files waited for, so that a test can look at them.
  func get(_ options: KingfisherOptionsInfoItem...) async throws -> RetrieveImageResult {
    try await manager.retrieveImage(with: url, options: options + [.waitForCache])
  }

  /// The computed key of a request with the blur.
  var blurredKey: String {
    cache.computedKey(key, Self.blur.identifier(in: kit.version))
  }
}

/// An app's own processor.
struct HalvingProcessor: ImageProcessor {
  let identifier = "com.example.half"

  func process(
    item: ImageProcessItem, options: KingfisherParsedOptionsInfo
  ) async throws -> KFCrossPlatformImage? {
    guard let image = KFCrossPlatformImage(data: item.data) else { return nil }
    return .png(image.pixelWidth / 2, image.pixelHeight / 2)
  }
}
