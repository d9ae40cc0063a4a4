import ClientRegistry
import Foundation
import NukeCache
import Pictures
import Rendering
import Signposts

/// Has a request's thumbnail, processors and encoding done by the workers, as the batch runner does.
struct PipelineDrawing: Sendable {
  /// The failure where the worker's executable was not found.
  private let renderer: Result<SourceRenderer, RenderFailure>
  let format: CacheKeyFormat
  private let jpegQuality: Int

  init(_ configuration: ImagePipeline.Configuration) {
    format = CacheKeyFormat(version: configuration.version, screenScale: configuration.screenScale)
    jpegQuality = configuration.jpegQuality
    renderer = Result { () throws(RenderFailure) in
      try SourceRenderer(
        executable: configuration.renderer, workers: configuration.workers, limits: configuration.limits,
        formats: configuration.formats, signposts: configuration.signposts)
    }
  }

  /// - Throws: ``ImagePipeline/Error`` where a processor cannot be drawn here.
  func steps(
    _ thumbnail: ThumbnailOptions?, _ processors: [ImageProcessor]
  ) throws(ImagePipeline.Error) -> [RenderStep] {
    let calls = (thumbnail.map { [$0.call] } ?? []) + processors.map(\.call)
    switch NukeClient(version: format.version).drawing(of: calls, scale: format.screenScale) {
    case .steps(let steps): return steps
    case .impossible(let reason, let substitute):
      // What a job writes for it is `identified` in code.
      let advice =
        "to have it drawn, wrap a processor that looks the same in ImageProcessor.identified(_:as:)"
      throw .processingFailed(
        processors: processors, reason: substitute == nil ? reason : "\(reason); \(advice)")
    }
  }

  /// Decodes a source and applies what comes with the decoding.
  func decode(
    _ bytes: [UInt8], thumbnail: ThumbnailOptions?, processors: [ImageProcessor], encodes: Bool = false
  ) async throws(ImagePipeline.Error) -> LoadedImage {
    // Pixels are only the first frame of a GIF.
    let film = ImageFormat.sniff(bytes) == .gif ? Data(bytes) : nil
    return try await drawn(steps(thumbnail, processors), of: bytes, .encoded, by: processors, film, encodes)
  }

  /// Applies one more processor to an image.
  func process(
    _ container: ImageContainer, _ processor: ImageProcessor, encodes: Bool
  ) async throws(ImagePipeline.Error) -> LoadedImage {
    try await drawn(
      steps(nil, [processor]), of: [UInt8](container.image.pixels), .pixels(container.image.renderPixels),
      by: [processor], container.data, encodes)
  }

  /// The data of an image for the disk cache. Since 12.1.0 a GIF is stored as it came, whatever was done to its first
  /// frame.
  func encode(_ container: ImageContainer) async throws(ImagePipeline.Error) -> Data {
    if let data = kept(container.data) { return data }
    let image = container.image
    return try await made(
      [.init(steps: [], encoding: encoding)], of: [UInt8](image.pixels), .pixels(image.renderPixels), by: []
    ) { results throws(RenderFailure) in Data(try results.bytes(at: 0, source: [])) }
  }

  private var encoding: RenderRequest.Encoding { .automatic(jpegQuality: jpegQuality) }

  private func kept(_ film: Data?) -> Data? {
    format.version.encodedGIFKeepsOriginalBytes ? film : nil
  }

  /// Pixels, and what is to be stored of them where that is asked for.
  private func drawn(
    _ steps: [RenderStep], of bytes: [UInt8], _ input: RenderRequest.Input, by processors: [ImageProcessor],
    _ film: Data?, _ encodes: Bool
  ) async throws(ImagePipeline.Error) -> LoadedImage {
    let isEncoded = encodes && kept(film) == nil
    let outputs = [RenderRequest.Encoding.pixels] + (isEncoded ? [encoding] : [])
    return try await made(
      outputs.map { .init(steps: steps, encoding: $0) }, of: bytes, input, by: processors
    ) { results throws(RenderFailure) in
      let (pixels, drawn) = try results.pixels(at: 0)
      let image = PlatformImage(
        width: pixels.width, height: pixels.height, pixels: Data(drawn), channels: pixels.channels)
      guard let image else { throw RenderFailure(.worker, "a worker's pixels make no image") }
      return LoadedImage(
        container: ImageContainer(image: image, data: film),
        encoded: isEncoded ? Data(try results.bytes(at: 1, source: bytes)) : encodes ? film : nil)
    }
  }

  /// Makes something of a worker's results. Its failures become the pipeline's.
  private func made<Value: Sendable>(
    _ outputs: [RenderRequest.Output], of bytes: [UInt8], _ input: RenderRequest.Input,
    by processors: [ImageProcessor], _ value: (RenderedOutputs) throws(RenderFailure) -> Value
  ) async throws(ImagePipeline.Error) -> Value {
    do throws(RenderFailure) {
      return try value(try await renderer.get().render(outputs, of: bytes, input: input))
    } catch {
      throw ImagePipeline.Error(error, processors: processors)
    }
  }
}

extension PlatformImage {
  fileprivate var renderPixels: RenderPixels {
    RenderPixels(width: width, height: height, channels: channels)
  }
}

extension SourceRenderer {
  /// - Parameter executable: the worker's; nil looks for it as the command does.
  init(
    executable: String?, workers: Int?, limits: RenderLimits, formats: Set<ImageFormat>,
    signposts: Signposter = .disabled
  ) throws(RenderFailure) {
    let found = if let executable { executable } else { try RenderPool.locateWorker() }
    self.init(
      pool: RenderPool(executable: found, workers: workers, signposts: signposts), limits: limits,
      formats: formats)
  }
}
