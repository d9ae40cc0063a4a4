import Foundation

@testable import Concurrency
@testable import KingfisherCache

/// Counts what a manager downloads, and draws nothing but a size: ten pixels smaller for each processor.
final class CountingLoader: ImageLoading {
  struct Offline: Error {}

  private let body: Data?
  private let state = Locked<(downloads: Int, drawn: [[BuiltInProcessor]])>((0, []))

  init(_ body: Data?) { self.body = body }

  var downloads: Int { state.withLock { $0.downloads } }
  var drawn: [[BuiltInProcessor]] { state.withLock { $0.drawn }.filter { !$0.isEmpty } }

  func download(_ url: URL) async throws -> Data {
    state.withLock { $0.downloads += 1 }
    guard let body else { throw Offline() }
    return body
  }

  func render(_ data: Data, processors: [BuiltInProcessor], scaleFactor: Double) async throws -> Data? {
    state.withLock { $0.drawn.append(processors) }
    guard let image = KFCrossPlatformImage(data: data) else { return nil }
    let less = 10 * processors.count
    return processors.isEmpty ? data : .pngBeginning(image.pixelWidth - less, image.pixelHeight - less)
  }
}

/// A manager over a cache of its own.
struct ManagerKit {
  let kit: CacheKit
  let loader: CountingLoader
  let manager: KingfisherManager
  let url: URL

  static let blur = BlurImageProcessor(blurRadius: 4)

  init(downloads body: Data? = .pngBeginning(100, 50)) throws {
    kit = try CacheKit()
    guard let url = URL(string: "https://example.com/a.png") else {
      throw CocoaError(.fileReadInvalidFileName)
    }
    self.url = url
    loader = CountingLoader(body)
    manager = KingfisherManager(loader: loader, cache: kit.cache)
  }

  var cache: ImageCache { kit.cache }

  /// With files waited for, so that a test can look at them.
  func get(_ options: KingfisherOptionsInfoItem...) async throws -> RetrieveImageResult {
    try await manager.retrieveImage(with: url, options: options + [.waitForCache])
  }
}

/// An app's own processor.
struct HalvingProcessor: ImageProcessor {
  let identifier = "com.example.half"
}
