import Concurrency
import Dispatch
import Fetching
import Foundation
import NukeCache
import Pictures
import Rendering

/// What an encoder may know of an image: Nuke's `ImageEncodingContext`.
public struct ImageEncodingContext: Sendable {
  /// The request whose image is stored.
  public let request: ImageRequest
  /// The image after thumbnail and processors.
  public let image: PlatformImage
  /// Nil where the image came from a cache or from no server.
  public let urlResponse: HTTPResponse?
}

/// Encoders that workers carry out.
public enum ImageEncoders {
  /// JPEG for opaque images and PNG for others, as a pipeline does without an encoder of its own.
  public struct Default: ImageEncoding, WorkerEncoding {
    /// 0 to 1.
    public var compressionQuality: Float
    /// HEIC for opaque images, where the system's libheif can write it.
    public var isHEIFPreferred = false

    /// Nuke's default quality is 0.8.
    public init(compressionQuality: Float = 0.8) { self.compressionQuality = compressionQuality }

    func encodings(of image: PlatformImage) -> [OutputEncoding] {
      let quality = ImageEncoders.percent(compressionQuality)
      let heic = OutputEncoding.recipe(EncodingRecipe(.heic(quality: quality)))
      let automatic = OutputEncoding.automatic(jpegQuality: quality)
      return isHEIFPreferred && image.isOpaque ? [heic, automatic] : [automatic]
    }
  }

  /// One format for all images; nothing is stored where it cannot be written.
  public struct ImageIO: ImageEncoding, WorkerEncoding {
    /// The format to write.
    public let type: AssetType
    /// 0 to 1.
    public let compressionRatio: Float

    /// A format, and its quality where it has one.
    public init(type: AssetType, compressionRatio: Float = 0.8) {
      self.type = type
      self.compressionRatio = compressionRatio
    }

    func encodings(of image: PlatformImage) -> [OutputEncoding] {
      let quality = ImageEncoders.percent(compressionRatio)
      let format = ImageFormat.allCases.first { $0.facts.uniformType == type.rawValue }
      return format?.recipe(quality: quality).map { [.recipe(EncodingRecipe($0))] } ?? []
    }
  }

  /// Anything but a number counts as the lowest.
  fileprivate static func percent(_ part: Float) -> Int {
    part.isFinite ? Int(min(max((part * 100).rounded(), 1), 100)) : 1
  }
}

/// An encoder that only says what a worker is to do.
protocol WorkerEncoding: ImageEncoding {
  /// Tried in this order.
  func encodings(of image: PlatformImage) -> [OutputEncoding]
}

extension WorkerEncoding {
  /// By the shared pipeline's workers; a pipeline asks its own.
  public func encode(_ container: ImageContainer, for request: ImageRequest) -> Data? {
    let drawing = ImagePipeline.shared.drawing
    return try? BlockingCall.wait { try await drawing.encode(container, by: self) }
  }
}

/// Decodes and encodes in worker processes for callers that wait: the methods of `ImagePipelineCache`.
struct WorkerCoder: ImageDecoding, ImageEncoding {
  var drawing: PipelineDrawing

  func decode(_ data: Data, for request: ImageRequest) throws -> ImageContainer {
    try BlockingCall.wait { [drawing] in
      try await drawing.decode([UInt8](data), thumbnail: request.thumbnail, processors: []).container
    }
  }

  func encode(_ container: ImageContainer, for request: ImageRequest) -> Data? {
    try? BlockingCall.wait { [drawing] in try await drawing.encode(container) }
  }
}

/// Asynchronous work for callers that cannot wait: the work has threads of its own, so that it goes on
/// even where every thread of Swift's pool is held by such a caller.
enum BlockingCall {
  private final class Threads: TaskExecutor {
    private let queue = DispatchQueue(label: "preheat.blocking", attributes: .concurrent)

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }

  private static let threads = Threads()

  /// Holds the calling thread until the work is done.
  static func wait<Value: Sendable>(
    for work: @escaping @Sendable () async throws -> Value
  ) throws -> Value {
    let box = Locked<Result<Value, any Error>?>(nil)
    let done = DispatchSemaphore(value: 0)
    Task(executorPreference: threads) {
      let result: Result<Value, any Error>
      do { result = .success(try await work()) } catch { result = .failure(error) }
      box.withLock { $0 = result }
      done.signal()
    }
    done.wait()
    guard let result = box.withLock({ $0 }) else { throw CancellationError() }
    return try result.get()
  }
}

extension ImageContainer {
  /// An image of a worker's pixels, which are its first result.
  init(_ results: RenderedOutputs, type: AssetType?, data: Data?) throws(RenderFailure) {
    let (pixels, bytes) = try results.pixels(at: 0)
    guard
      let image = PlatformImage(
        width: pixels.width, height: pixels.height, bytesPerRow: pixels.width * PlatformImage.bytesPerPixel,
        pixels: Data(bytes), isOpaque: pixels.isOpaque)
    else { throw RenderFailure(.worker, "a worker's pixels make no image") }
    self.init(image: image, type: type, data: data, userInfo: [.channels: pixels.channels])
  }

  /// The pixels as a worker takes them; nil for an image that is not decoded.
  var renderPixels: (description: RenderPixels, bytes: [UInt8])? {
    guard image.isDecoded else { return nil }
    // An app's own images do not say, and are taken for coloured.
    let channels = userInfo[.channels] as? Int ?? (image.isOpaque ? 3 : 4)
    let description = RenderPixels(width: image.width, height: image.height, channels: channels)
    let rowBytes = image.width * PlatformImage.bytesPerPixel
    if rowBytes == image.bytesPerRow { return (description, [UInt8](image.pixels)) }
    let start = image.pixels.startIndex
    let rows = (0..<image.height).map { row in
      image.pixels[(start + row * image.bytesPerRow)..<(start + row * image.bytesPerRow + rowBytes)]
    }
    return (description, rows.flatMap { $0 })
  }
}

extension ImageContainer.UserInfoKey {
  /// How many channels the picture has behind its four bytes a pixel: a grey one is encoded as grey.
  static let channels: Self = "preheat.channels"
}

extension AssetType {
  init(_ format: ImageFormat) {
    self = AssetType(rawValue: format.facts.uniformType)
  }
}
