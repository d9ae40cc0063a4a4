import CExif
import Pictures
import Rendering

/// The thumbnail that cameras put into EXIF. Editors often leave a stale one behind, so it is believed
/// only if it has the picture's shape.
package enum EmbeddedThumbnail {
  /// Decoded and upright, or the reason why it cannot be used.
  enum Search {
    case found(VipsImage)
    case absent
    case refused(String)
  }

  /// An APP1 segment holds no more.
  private static let longest = 65_535
  /// How far width to height may differ from the picture's. In 154 files from many cameras a quarter had
  /// a thumbnail off by more: letterboxed, or of another picture.
  private static let tolerance = 0.01
  /// Pixels that rounding may take from the size that is wanted.
  private static let rounding = 0.5

  /// - Parameters:
  ///   - decoder: the picture it belongs to.
  ///   - scale: pixels that are wanted for one of the full picture; a thumbnail with fewer is refused.
  static func search(
    in decoder: PictureDecoder, scale: Double, limits: RenderLimits
  ) throws(RenderFailure) -> Search {
    guard let bytes = try decoder.embeddedThumbnail(), let info = decoder.info else { return .absent }
    guard ImageFormat.sniff(bytes) == .jpeg else { return .refused("it is not a JPEG") }
    guard let thumbnail = decode(bytes, limits, decoder.engine) else { return .refused("it does not decode") }
    let own = Double(thumbnail.width) / Double(thumbnail.height)
    let real = Double(info.width) / Double(info.height)
    guard abs(own / real - 1) <= tolerance else {
      return .refused("its shape is \(thumbnail.width)x\(thumbnail.height), not the picture's")
    }
    guard Double(thumbnail.width) + rounding >= Double(info.width) * scale,
      Double(thumbnail.height) + rounding >= Double(info.height) * scale
    else {
      return .refused("its \(thumbnail.width)x\(thumbnail.height) pixels are too few")
    }
    do {
      // Turned like the picture it was made for, whatever its own tags say.
      return .found(try thumbnail.turned(info.orientation))
    } catch {
      return .refused("it does not decode")
    }
  }

  /// The thumbnail's bytes as libexif reads them, and so as `exif --extract-thumbnail` writes them; nil where
  /// there is none. They may be anything.
  ///
  /// - Parameter head: the beginning of a JPEG file. ``RenderRequest/headBytes`` are enough for most.
  package static func bytes(inJPEG head: [UInt8]) -> [UInt8]? {
    bytes { count in
      head.withUnsafeBufferPointer { pe_thumbnail_of_jpeg($0.baseAddress, $0.count, longest, &count) }
    }
  }

  /// - Parameter exif: an EXIF block with or without the head that it has in JPEG files.
  static func bytes(inEXIF exif: [UInt8]) -> [UInt8]? {
    bytes { count in exif.withUnsafeBufferPointer { pe_thumbnail($0.baseAddress, $0.count, longest, &count) }
    }
  }

  private static func bytes(_ extract: (inout Int) -> UnsafeMutablePointer<UInt8>?) -> [UInt8]? {
    var count = 0
    guard let bytes = extract(&count) else { return nil }
    defer { pe_free(bytes) }
    return [UInt8](UnsafeBufferPointer(start: bytes, count: count))
  }

  private static func decode(_ bytes: [UInt8], _ limits: RenderLimits, _ engine: RenderEngine) -> VipsImage? {
    guard let header = try? ImageHeader.read(bytes),
      (try? limits.check(header, byteCount: bytes.count)) != nil
    else { return nil }
    let picture = EncodedPicture(bytes, header: header, isStrict: false, isHead: false, engine: engine)
    return try? picture.image(shrink: 1).inMemory()
  }
}
