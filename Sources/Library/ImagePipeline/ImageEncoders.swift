import Foundation
import NukeCache
import Pictures

/// What an encoder may know of an image: Nuke's `ImageEncodingContext`.
public struct ImageEncodingContext: Sendable {
  public let request: ImageRequest
  public let image: PlatformImage
  /// Nil where the image came from a cache or from no server.
  public let urlResponse: ResponseInfo?
}

/// Encoders that workers carry out.
public enum ImageEncoders {
  /// JPEG for opaque images and PNG for others, as a pipeline does without an encoder of its own.
  public struct Default: ImageEncoding, WorkerEncoding {
    /// 0 to 1.
    public var compressionQuality: Float
    /// HEIC for opaque images, where the system's libheif can write it.
    public var isHEIFPreferred = false

    public init(compressionQuality: Float = 0.8) { self.compressionQuality = compressionQuality }

    func encodings(of image: PlatformImage, keepsGIF: Bool) -> [OutputEncoding] {
      let quality = ImageEncoders.percent(compressionQuality)
      let heic = OutputEncoding.recipe(EncodingRecipe(.heic(quality: quality), keepsGIF: keepsGIF))
      let automatic = OutputEncoding.automatic(jpegQuality: quality, keepsGIF: keepsGIF)
      return isHEIFPreferred && image.isOpaque ? [heic, automatic] : [automatic]
    }
  }

  /// One format for all images; nothing is stored where it cannot be written.
  public struct ImageIO: ImageEncoding, WorkerEncoding {
    public let type: AssetType
    /// 0 to 1.
    public let compressionRatio: Float

    public init(type: AssetType, compressionRatio: Float = 0.8) {
      self.type = type
      self.compressionRatio = compressionRatio
    }

    func encodings(of image: PlatformImage, keepsGIF: Bool) -> [OutputEncoding] {
      let quality = ImageEncoders.percent(compressionRatio)
      let format = ImageFormat.allCases.first { $0.facts.uniformType == type.rawValue }
      return format?.recipe(quality: quality).map { [.recipe(EncodingRecipe($0, keepsGIF: keepsGIF))] } ?? []
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
  func encodings(of image: PlatformImage, keepsGIF: Bool) -> [OutputEncoding]
}

extension WorkerEncoding {
  /// By the shared pipeline's workers; a pipeline asks its own.
  public func encode(_ container: ImageContainer, for request: ImageRequest) -> Data? {
    let drawing = ImagePipeline.shared.drawing
    return try? BlockingCall.wait { try await drawing.encode(container, by: self) }
  }
}
