import Pictures
import Rendering

/// A picture's bytes as they came, and what decodes them.
final class EncodedPicture {
  let header: ImageHeader
  /// Of a JPEG, the beginning: where its EXIF segment stands.
  let head: [UInt8]
  /// There is no more than that.
  let isHead: Bool
  let engine: RenderEngine

  private let isStrict: Bool

  private enum Decoder {
    case libjpeg(PlainJPEG, [UInt8])
    /// Which has a copy of the bytes.
    case libvips(VipsSource)
  }

  private var decoder: Decoder

  /// How far an EXIF segment is looked for: behind another one of full size it is still found.
  private static let exifReach = 192 << 10

  init(_ bytes: [UInt8], header: ImageHeader, isStrict: Bool, isHead: Bool, engine: RenderEngine) {
    self.header = header
    self.isStrict = isStrict
    self.isHead = isHead
    self.engine = engine
    head = header.format == .jpeg ? Array(bytes.prefix(Self.exifReach)) : []
    // A file that is cut would end in a warning.
    if engine == .automatic, header.format == .jpeg, header.isComplete || isHead,
      let plain = PlainJPEG(bytes), plain.width == header.width, plain.height == header.height
    {
      decoder = .libjpeg(plain, bytes)
    } else {
      decoder = .libvips(VipsSource(bytes))
    }
  }

  /// What a decoder makes of the header. The pixels are those of the file as stored.
  struct Facts {
    var width: Int
    var height: Int
    var bands: Int
    var hasAlpha: Bool
    /// EXIF orientation, 1 to 8.
    var orientation: Int
  }

  func facts() throws(VipsFailure) -> Facts {
    if case .libjpeg(let plain, _) = decoder {
      return Facts(
        width: plain.width, height: plain.height, bands: plain.bands, hasAlpha: false,
        orientation: plain.orientation)
    }
    let image = try image(shrink: 1)
    return Facts(
      width: image.width, height: image.height, bands: image.bands, hasAlpha: image.hasAlpha,
      orientation: image.orientation)
  }

  /// The picture with 1/`shrink` of its pixels a side. Lazy where libvips makes it.
  func image(shrink: Int) throws(VipsFailure) -> VipsImage {
    let source: VipsSource
    switch decoder {
    case .libjpeg(let plain, let bytes):
      let (width, height) = (plain.width / shrink, plain.height / shrink)
      // libvips reads a picture that is too large to be held row by row.
      if width * height * plain.bands <= PictureDecoder.heldBytes,
        let image = plain.image(of: bytes, shrink: shrink)
      {
        return image
      }
      source = VipsSource(bytes)
      decoder = .libvips(source)
    case .libvips(let known): source = known
    }
    let image = try source.image(header.format, shrink: shrink, isStrict: isStrict)
    guard let shown = header.shownChannels, shown < image.bands else { return image }
    return try image.keeping(bands: shown)
  }
}
