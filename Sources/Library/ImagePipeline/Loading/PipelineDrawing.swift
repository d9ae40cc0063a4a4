import ClientKit
import Foundation
import NukeCache
import NukeClient
import Pictures
import Rendering
import Signposts

/// Has a request's thumbnail, processors and encoding done by the workers, as the batch runner does.
struct PipelineDrawing: Sendable {
  /// The failure where the worker's executable was not found.
  var renderer: Result<SourceRenderer, RenderFailure>
  var format: CacheKeyFormat
  var jpegQuality: Int

  struct Drawn: Sendable {
    var container: ImageContainer
    /// For the disk cache, where that was asked for.
    var encoded: Data?
  }

  init(_ configuration: ImagePipeline.Configuration) {
    format = CacheKeyFormat(version: configuration.version, screenScale: configuration.screenScale)
    jpegQuality = configuration.jpegQuality
    renderer = Result { () throws(RenderFailure) in
      try SourceRenderer(
        executable: configuration.renderer, workers: configuration.workers, limits: configuration.limits,
        formats: configuration.formats, signposts: configuration.signposts)
    }
  }

  private var keepsGIF: Bool { format.version.encodedGIFKeepsOriginalBytes }
  private var encoding: RenderRequest.Encoding { .automatic(jpegQuality: jpegQuality) }

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
  ) async throws(ImagePipeline.Error) -> Drawn {
    let steps = try steps(thumbnail, processors)
    return try await drawn(.pixels, steps, of: bytes, by: processors, encodes: encodes) {
      results throws(RenderFailure) in
      let format = results.source?.format
      // Pixels are only its first frame.
      return try ImageContainer(
        results, type: format.map { AssetType($0) }, data: format == .gif ? Data(bytes) : nil)
    }
  }

  /// Proves that a source can be decoded, and leaves it encoded.
  func inspect(_ bytes: [UInt8], encodes: Bool) async throws(ImagePipeline.Error) -> Drawn {
    try await drawn(.original, [], of: bytes, encodes: encodes) { results throws(RenderFailure) in
      _ = try results.bytes(at: 0, source: bytes)
      guard let source = results.source else {
        throw RenderFailure(.worker, "a worker did not say what the image is")
      }
      let (width, height) = source.uprightSize
      let image = PlatformImage.undecoded(width: width, height: height, isOpaque: !source.hasAlpha)
      return ImageContainer(image: image, type: AssetType(source.format), data: Data(bytes))
    }
  }

  /// A source's first result as an image, with the data for the disk cache where that is asked for.
  private func drawn(
    _ first: RenderRequest.Encoding, _ steps: [RenderStep], of bytes: [UInt8],
    by processors: [ImageProcessor] = [], encodes: Bool,
    _ container: (RenderedOutputs) throws(RenderFailure) -> ImageContainer
  ) async throws(ImagePipeline.Error) -> Drawn {
    let kept = encodes && keepsGIF && ImageFormat.sniff(bytes) == .gif ? Data(bytes) : nil
    let encodes = encodes && kept == nil
    return try await made(outputs(first, steps, encodes), of: bytes, by: processors) {
      results throws(RenderFailure) in
      let container = try container(results)
      return Drawn(
        container: container, encoded: encodes ? Data(try results.bytes(at: 1, source: bytes)) : kept)
    }
  }

  /// Applies one more processor to an image that is decoded.
  func process(
    _ container: ImageContainer, _ processor: ImageProcessor, encodes: Bool
  ) async throws(ImagePipeline.Error) -> Drawn {
    let steps = try steps(nil, [processor])
    guard let input = container.renderPixels else {
      throw .processingFailed(processors: [processor], reason: "the image is not decoded")
    }
    return try await made(
      outputs(.pixels, steps, encodes), of: input.bytes, input: .pixels(input.description), by: [processor]
    ) { results throws(RenderFailure) in
      var drawn = try ImageContainer(results, type: container.type, data: container.data)
      drawn.userInfo.merge(container.userInfo) { new, _ in new }
      guard encodes else { return Drawn(container: drawn) }
      let encoded = Data(try results.bytes(at: 1, source: []))
      return Drawn(container: drawn, encoded: keptGIF(container) ?? encoded)
    }
  }

  /// The data of an image for the disk cache.
  func encode(_ container: ImageContainer) async throws(ImagePipeline.Error) -> Data {
    try await encode(container, as: encoding)
  }

  /// The first that can be written of what an encoder asks for.
  func encode(
    _ container: ImageContainer, by encoder: any WorkerEncoding
  ) async throws(ImagePipeline.Error) -> Data {
    var failure = ImagePipeline.Error(
      RenderFailure(.encode, "the encoder names no format that can be written"), processors: [])
    for encoding in encoder.encodings(of: container.image) {
      do throws(ImagePipeline.Error) { return try await encode(container, as: encoding) } catch {
        failure = error
      }
    }
    throw failure
  }

  private func encode(
    _ container: ImageContainer, as encoding: RenderRequest.Encoding
  ) async throws(ImagePipeline.Error) -> Data {
    if let data = keptGIF(container) { return data }
    let output = RenderRequest.Output(steps: [], encoding: encoding)
    let pixels = container.renderPixels
    let bytes = pixels?.bytes ?? [UInt8](container.data ?? Data())
    let input = pixels.map { RenderRequest.Input.pixels($0.description) } ?? .encoded
    return try await made([output], of: bytes, input: input) { results throws(RenderFailure) in
      Data(try results.bytes(at: 0, source: pixels == nil ? bytes : []))
    }
  }

  private func outputs(
    _ first: RenderRequest.Encoding, _ steps: [RenderStep], _ encodes: Bool
  ) -> [RenderRequest.Output] {
    (encodes ? [first, encoding] : [first]).map { RenderRequest.Output(steps: steps, encoding: $0) }
  }

  /// Makes something of a worker's results. Its failures become the pipeline's.
  private func made<Value: Sendable>(
    _ outputs: [RenderRequest.Output], of bytes: [UInt8], input: RenderRequest.Input = .encoded,
    by processors: [ImageProcessor] = [], _ value: (RenderedOutputs) throws(RenderFailure) -> Value
  ) async throws(ImagePipeline.Error) -> Value {
    do throws(RenderFailure) {
      return try value(try await renderer.get().render(outputs, of: bytes, input: input))
    } catch {
      throw ImagePipeline.Error(error, processors: processors)
    }
  }

  /// Since 12.1.0 a GIF is stored as it came, whatever was done to its first frame.
  private func keptGIF(_ container: ImageContainer) -> Data? {
    container.type == .gif && keepsGIF ? container.data : nil
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

extension RenderAnswer.SourceInfo {
  /// Its pixels as an app shows it.
  var uprightSize: PixelSize { orientation >= 5 ? (height, width) : (width, height) }
}
