import Foundation
import NukeCache
import Pictures

extension ImageContainer {
  /// An image of a worker's pixels.
  package init?(_ pixels: RenderPixels, _ bytes: [UInt8], type: AssetType?, data: Data?) {
    guard
      let image = PlatformImage(
        width: pixels.width, height: pixels.height, bytesPerRow: pixels.width * PlatformImage.bytesPerPixel,
        pixels: Data(bytes), isOpaque: pixels.isOpaque)
    else { return nil }
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
  package static let channels: Self = "preheat.channels"
}

extension AssetType {
  package init(_ format: ImageFormat) {
    switch format {
    case .jpeg: self = .jpeg
    case .png: self = .png
    case .gif: self = .gif
    case .webp: self = .webp
    case .tiff: self = .tiff
    case .heif: self = .heic
    case .avif: self = .avif
    }
  }
}
