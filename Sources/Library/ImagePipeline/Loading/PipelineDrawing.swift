import ClientKit
import Foundation
import NukeCache
import NukeClient
import Pictures
import Rendering

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
    do throws(RenderFailure) {
      let executable =
        if let renderer = configuration.renderer { renderer } else { try RenderPool.locateWorker() }
      renderer = .success(
        SourceRenderer(
          pool: RenderPool(
            executable: executable, workers: configuration.workers, signposts: configuration.signposts),
          limits: configuration.limits, formats: configuration.formats))
    } catch {
      renderer = .failure(error)
    }
  }

  private var keepsGIF: Bool { DataCacheRules(version: format.version).encodedGIFKeepsOriginalBytes }
  private var encoding: RenderRequest.Encoding { .automatic(jpegQuality: jpegQuality, keepsGIF: keepsGIF) }

  /// - Throws: ``ImagePipeline/Error`` where a processor cannot be drawn here.
  func steps(
    _ thumbnail: ThumbnailOptions?, _ processors: [ImageProcessor]
  ) throws(ImagePipeline.Error) -> [RenderStep] {
    let calls = (thumbnail.map { [$0.call] } ?? []) + processors.map(\.call)
    switch NukeClient(version: format.version).drawing(of: calls, scale: format.screenScale) {
    case .steps(let steps): return steps
    case .impossible(let reason): throw .processingFailed(processors: processors, reason: reason)
    }
  }

  /// Decodes a source and applies what comes with the decoding.
  func decode(
    _ bytes: [UInt8], thumbnail: ThumbnailOptions?, processors: [ImageProcessor], encodes: Bool = false
  ) async throws(ImagePipeline.Error) -> Drawn {
    let steps = try steps(thumbnail, processors)
    do throws(RenderFailure) {
      let results = try await renderer.get().render(outputs(steps, encodes: encodes), of: bytes)
      let pixels = try results.pixels(at: 0)
      let format = results.source?.format
      // Pixels are only its first frame.
      let data = format == .gif ? Data(bytes) : nil
      let container = ImageContainer(
        pixels.description, pixels.bytes, type: format.map { AssetType($0) }, data: data)
      guard let container else { throw RenderFailure(.worker, "a worker's pixels make no image") }
      return Drawn(
        container: container, encoded: encodes ? Data(try results.bytes(at: 1, source: bytes)) : nil)
    } catch {
      throw ImagePipeline.Error(error, processors: processors)
    }
  }

  /// Proves that a source can be decoded, and leaves it encoded.
  func inspect(_ bytes: [UInt8], encodes: Bool) async throws(ImagePipeline.Error) -> Drawn {
    do throws(RenderFailure) {
      var outputs = [RenderRequest.Output(steps: [], encoding: .original)]
      if encodes { outputs.append(RenderRequest.Output(steps: [], encoding: encoding)) }
      let results = try await renderer.get().render(outputs, of: bytes)
      _ = try results.bytes(at: 0, source: bytes)
      guard let source = results.source else {
        throw RenderFailure(.worker, "a worker did not say what the image is")
      }
      let isTurned = source.orientation >= 5
      let image = PlatformImage.undecoded(
        width: isTurned ? source.height : source.width, height: isTurned ? source.width : source.height,
        isOpaque: !source.hasAlpha)
      return Drawn(
        container: ImageContainer(image: image, type: AssetType(source.format), data: Data(bytes)),
        encoded: encodes ? Data(try results.bytes(at: 1, source: bytes)) : nil)
    } catch {
      throw ImagePipeline.Error(error, processors: [])
    }
  }

  private func outputs(_ steps: [RenderStep], encodes: Bool) -> [RenderRequest.Output] {
    let pixels = RenderRequest.Output(steps: steps, encoding: .pixels)
    return encodes ? [pixels, RenderRequest.Output(steps: steps, encoding: encoding)] : [pixels]
  }
}

extension PipelineDrawing {
  /// Applies one more processor to an image that is decoded.
  func process(
    _ container: ImageContainer, _ processor: ImageProcessor, encodes: Bool
  ) async throws(ImagePipeline.Error) -> Drawn {
    let steps = try steps(nil, [processor])
    guard let input = container.renderPixels else {
      throw .processingFailed(processors: [processor], reason: "the image is not decoded")
    }
    do throws(RenderFailure) {
      let results = try await renderer.get().render(
        outputs(steps, encodes: encodes), of: input.bytes, input: .pixels(input.description))
      let pixels = try results.pixels(at: 0)
      let drawn = ImageContainer(
        pixels.description, pixels.bytes, type: container.type, data: container.data)
      guard var drawn else { throw RenderFailure(.worker, "a worker's pixels make no image") }
      drawn.userInfo.merge(container.userInfo) { new, _ in new }
      guard encodes else { return Drawn(container: drawn) }
      let encoded = Data(try results.bytes(at: 1, source: []))
      return Drawn(container: drawn, encoded: keptGIF(container) ?? encoded)
    } catch {
      throw ImagePipeline.Error(error, processors: [processor])
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
    for encoding in encoder.encodings(of: container.image, keepsGIF: keepsGIF) {
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
    do throws(RenderFailure) {
      let output = [RenderRequest.Output(steps: [], encoding: encoding)]
      guard let input = container.renderPixels else {
        let bytes = [UInt8](container.data ?? Data())
        return Data(try await renderer.get().render(output, of: bytes).bytes(at: 0, source: bytes))
      }
      let results = try await renderer.get().render(
        output, of: input.bytes, input: .pixels(input.description))
      return Data(try results.bytes(at: 0, source: []))
    } catch {
      throw ImagePipeline.Error(error, processors: [])
    }
  }

  /// Since 12.1.0 a GIF is stored as it came, whatever was done to its first frame.
  private func keptGIF(_ container: ImageContainer) -> Data? {
    container.type == .gif && keepsGIF ? container.data : nil
  }
}
