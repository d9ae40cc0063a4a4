import Foundation

/// An image with what is known about it: what the memory cache holds and what the pipeline hands out.
public struct ImageContainer: Sendable {
  /// The picture.
  public var image: PlatformImage
  /// The format of the data that it was decoded from; nil where that is not known.
  public var type: AssetType?
  /// An image of a download in progress, to be replaced by the final one.
  public var isPreview: Bool
  /// The encoded bytes, kept where the pixels alone are not the image (animations) or are not decoded.
  public var data: Data?
  /// Whatever a decoder wants to hand on. No cache on disk keeps it.
  public var userInfo: [UserInfoKey: any Sendable]

  /// An image with what is known about it.
  public init(
    image: PlatformImage, type: AssetType? = nil, isPreview: Bool = false, data: Data? = nil,
    userInfo: [UserInfoKey: any Sendable] = [:]
  ) {
    self.image = image
    self.type = type
    self.isPreview = isPreview
    self.data = data
    self.userInfo = userInfo
  }

  /// Bytes of memory as Nuke counts them: `bytesPerRow * height` and the attached data.
  public var cost: Int { image.bytesPerRow * image.height + (data?.count ?? 0) }

  /// A key of ``userInfo``.
  public typealias UserInfoKey = ImageRequest.UserInfoKey
}

/// The format of encoded image data, by its uniform type identifier: Nuke's `AssetType`.
public struct AssetType: RawRepresentable, ExpressibleByStringLiteral, Hashable, Sendable {
  /// The uniform type identifier, for example `public.jpeg`.
  public let rawValue: String

  /// A format by its uniform type identifier, which is not checked.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// A format by a literal with its uniform type identifier.
  public init(stringLiteral value: String) { rawValue = value }

  /// JPEG.
  public static let jpeg: AssetType = "public.jpeg"
  /// PNG, animated or not.
  public static let png: AssetType = "public.png"
  /// GIF, animated or not.
  public static let gif: AssetType = "com.compuserve.gif"
  /// WebP, animated or not.
  public static let webp: AssetType = "public.webp"
  /// HEIF with an HEVC image in it.
  public static let heic: AssetType = "public.heic"
  /// HEIF with an AV1 image in it.
  public static let avif: AssetType = "public.avif"
  /// TIFF.
  public static let tiff: AssetType = "public.tiff"
}

/// Makes an image of data from the disk cache.
public protocol ImageDecoding: Sendable {
  /// The request's thumbnail options are to be applied; its processors are not.
  func decode(_ data: Data, for request: ImageRequest) throws -> ImageContainer
}

/// Makes data of an image for the disk cache. One of the two methods is enough.
public protocol ImageEncoding: Sendable {
  /// Nil if the image cannot be encoded; it is not stored then.
  func encode(_ container: ImageContainer, for request: ImageRequest) -> Data?

  /// The same for those that need no more than the pixels.
  func encode(_ image: PlatformImage) -> Data?
}

extension ImageEncoding {
  /// Encodes the image's pixels alone.
  public func encode(_ container: ImageContainer, for request: ImageRequest) -> Data? {
    encode(container.image)
  }

  /// Nil: for an encoder that has the other method.
  public func encode(_ image: PlatformImage) -> Data? { nil }
}

/// A picture without a screen: decoded pixels, or only the size of one that is still encoded.
///
/// Pixels are sRGB, 8 bits a component in the order red, green, blue, alpha, with alpha premultiplied, the
/// top row first and upright.
public struct PlatformImage: Hashable, Sendable {
  /// Red, green, blue and alpha of a byte each.
  public static let bytesPerPixel = 4

  /// Pixels.
  public let width, height: Int
  /// Bytes from one row to the next; 0 for an image that is not decoded.
  public let bytesPerRow: Int
  /// `bytesPerRow * height` bytes; empty for an image that is not decoded.
  public let pixels: Data
  /// Whether the format has no alpha. The default encoder chooses between JPEG and PNG by it, as Nuke does
  /// by the bitmap's format, not by its pixels.
  public let isOpaque: Bool

  /// An image of decoded pixels; nil if the numbers do not fit each other.
  public init?(width: Int, height: Int, bytesPerRow: Int, pixels: Data, isOpaque: Bool) {
    let (rowBytes, rowOverflow) = width.multipliedReportingOverflow(by: Self.bytesPerPixel)
    let (bytes, overflow) = bytesPerRow.multipliedReportingOverflow(by: height)
    guard width > 0, height > 0, !rowOverflow, bytesPerRow >= rowBytes, !overflow, pixels.count == bytes
    else {
      return nil
    }
    self.width = width
    self.height = height
    self.bytesPerRow = bytesPerRow
    self.pixels = pixels
    self.isOpaque = isOpaque
  }

  private init(undecodedWidth: Int, height: Int, isOpaque: Bool) {
    width = undecodedWidth
    self.height = height
    bytesPerRow = 0
    pixels = Data()
    self.isOpaque = isOpaque
  }

  /// An image of which only the size is known; its encoded bytes lie in the container.
  public static func undecoded(width: Int, height: Int, isOpaque: Bool) -> PlatformImage {
    PlatformImage(undecodedWidth: max(0, width), height: max(0, height), isOpaque: isOpaque)
  }

  /// Whether there are pixels.
  public var isDecoded: Bool { bytesPerRow > 0 }
}
