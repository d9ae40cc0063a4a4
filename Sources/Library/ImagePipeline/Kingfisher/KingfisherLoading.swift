import Fetching
import Foundation
import KingfisherCache
import Pictures

/// What a `KingfisherManager` downloads and draws with on Linux: the loader and the workers of a run.
public struct KingfisherLoading: Sendable {
  public var dataLoader: any DataLoading
  /// Sent with every download.
  public var headers: [HTTPHeader] = []
  /// Bounds on what a stranger's image may cost.
  public var limits = RenderLimits()
  /// Formats that are decoded.
  public var formats = ImageFormat.trusted
  /// Path of `preheat-render`; nil looks for it as the command does (`RenderPool.locateWorker`).
  public var renderer: String?
  /// Worker processes; nil takes one a processor.
  public var workers: Int?

  /// - Parameter dataLoader: the default one has no HTTP cache, as Kingfisher's session has none.
  public init(dataLoader: any DataLoading = DataLoader(cache: nil)) {
    self.dataLoader = dataLoader
  }
}

extension KingfisherManager {
  /// A manager that downloads, and that decodes and draws in worker processes.
  ///
  ///     let manager = try KingfisherManager(loading: KingfisherLoading())
  ///     let result = try await manager.retrieveImage(with: url, options: [.processor(processor), .waitForCache])
  ///
  /// Its default options hold the serializer that proves pictures in a worker; keep it among others that are set
  /// later, or files are only known by their headers.
  ///
  /// - Parameter cache: whose version of Kingfisher decides how processors draw.
  /// - Throws: `RenderFailure` where the worker's executable is not found.
  public convenience init(loading: KingfisherLoading, cache: ImageCache = .default) throws {
    let worker = try KingfisherWorker(loading, version: cache.version)
    let downloader = KingfisherDownloader(loader: loading.dataLoader, headers: loading.headers)
    self.init(downloader: downloader, renderer: worker, cache: cache)
    defaultOptions = [.cacheSerializer(worker)]
  }
}

/// Downloads for a `KingfisherManager` through a pipeline's loader.
struct KingfisherDownloader: ImageDownloading {
  var loader: any DataLoading
  var headers: [HTTPHeader]

  func download(_ url: URL) async throws -> Data {
    let request = HTTPRequest(url: url.absoluteString, headers: headers)
    return Data(try await loader.loadData(for: request) { _ in }.body)
  }
}
