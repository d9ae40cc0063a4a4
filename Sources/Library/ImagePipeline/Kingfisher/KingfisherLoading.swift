import ClientKit
import Fetching
import Foundation
import KingfisherCache
import KingfisherClient
import Pictures
import Rendering

/// What a `KingfisherManager` downloads and draws with on Linux: the loader and the workers of a run.
public struct KingfisherLoading: Sendable {
  /// Downloads, with its limits and its rules about addresses.
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

/// Decodes and draws for a `KingfisherManager` in worker processes, as a run does.
struct KingfisherWorker: ImageRendering, CacheSerializer {
  private let renderer: SourceRenderer
  private let version: KingfisherVersion

  init(_ loading: KingfisherLoading, version: KingfisherVersion) throws(RenderFailure) {
    renderer = try SourceRenderer(
      executable: loading.renderer, workers: loading.workers, limits: loading.limits,
      formats: loading.formats)
    self.version = version
  }

  func render(
    _ data: Data, processors: [BuiltInProcessor], scaleFactor: Double
  ) async throws -> KFCrossPlatformImage? {
    let steps: [RenderStep]
    switch KingfisherClient(version: version).drawing(of: processors.map(\.call), scale: scaleFactor) {
    case .steps(let drawn): steps = drawn
    case .impossible(let reason, _): throw failure(of: processors, reason)
    }
    let bytes = [UInt8](data)
    // As `DefaultCacheSerializer` has it (5.13.0 and later): JPEG at quality 1 for JPEG sources, PNG for others; but
    // what a processor made transparent stays so.
    let isJPEG = ImageFormat.sniff(bytes) == .jpeg
    let output = RenderRequest.Output(
      steps: steps, encoding: isJPEG ? .automatic(jpegQuality: 100) : .png)
    do throws(RenderFailure) {
      let results = try await renderer.render([output], of: bytes)
      return KFCrossPlatformImage(data: Data(try results.bytes(at: 0, source: bytes)), scale: scaleFactor)
    } catch {
      if error.code == .cancelled { throw error }
      let failure = error.inWordsOfLibrary
      throw self.failure(of: processors, "\(failure)\(failure.adviceInWords)")
    }
  }

  private func failure(of processors: [BuiltInProcessor], _ reason: String) -> KingfisherError {
    let identifier = KingfisherKeyFormat(version: version).identifier(of: processors)
    return .processorError(reason: .processingFailed(identifier: identifier, reason: reason))
  }

  func data(with image: KFCrossPlatformImage, original: Data?) -> Data? {
    DefaultCacheSerializer.default.data(with: image, original: original)
  }

  /// An image only if it decodes to its end.
  func image(with data: Data, options: KingfisherParsedOptionsInfo) async -> KFCrossPlatformImage? {
    let bytes = [UInt8](data)
    let proof = RenderRequest.Output(steps: [], encoding: .original)
    guard let results = try? await renderer.render([proof], of: bytes),
      (try? results.bytes(at: 0, source: bytes)) != nil, let source = results.source
    else { return nil }
    let (width, height) = source.uprightSize
    return KFCrossPlatformImage(
      data: data, pixelWidth: width, pixelHeight: height, scale: options.scaleFactor,
      frameCount: source.frames)
  }
}
