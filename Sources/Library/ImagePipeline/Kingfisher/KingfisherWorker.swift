import ClientKit
import Foundation
import KingfisherCache
import KingfisherClient
import Pictures
import Rendering

/// Decodes and draws for a `KingfisherManager` in worker processes, as a run does.
struct KingfisherWorker: ImageRendering, CacheSerializer {
  private let renderer: SourceRenderer
  private let version: KingfisherVersion

  init(_ loading: KingfisherLoading, version: KingfisherVersion) throws(RenderFailure) {
    let executable =
      if let renderer = loading.renderer { renderer } else { try RenderPool.locateWorker() }
    renderer = SourceRenderer(
      pool: RenderPool(executable: executable, workers: loading.workers), limits: loading.limits,
      formats: loading.formats)
    self.version = version
  }

  func render(
    _ data: Data, processors: [BuiltInProcessor], scaleFactor: Double
  ) async throws -> KFCrossPlatformImage? {
    let steps: [RenderStep]
    switch KingfisherClient(version: version).drawing(of: processors.map(\.call), scale: scaleFactor) {
    case .steps(let drawn): steps = drawn
    case .impossible(let reason):
      let identifier = KingfisherKeyFormat(version: version).identifier(of: processors)
      throw KingfisherError.processorError(reason: .processingFailed(identifier: identifier, reason: reason))
    }
    let bytes = [UInt8](data)
    // As `DefaultCacheSerializer` has it (5.13.0 and later): JPEG at quality 1 for JPEG sources, PNG for others; but
    // what a processor made transparent stays so.
    let isJPEG = ImageFormat.sniff(bytes) == .jpeg
    let output = RenderRequest.Output(
      steps: steps, encoding: isJPEG ? .automatic(jpegQuality: 100, keepsGIF: false) : .png)
    let results = try await renderer.render([output], of: bytes)
    return KFCrossPlatformImage(data: Data(try results.bytes(at: 0, source: bytes)), scale: scaleFactor)
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
    let isTurned = source.orientation >= 5
    return KFCrossPlatformImage(
      data: data, pixelWidth: isTurned ? source.height : source.width,
      pixelHeight: isTurned ? source.width : source.height, scale: options.scaleFactor,
      frameCount: source.frames)
  }
}
