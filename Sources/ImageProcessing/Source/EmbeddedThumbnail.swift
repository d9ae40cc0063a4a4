import CExif
import Rendering

/// The thumbnail that cameras put into EXIF. Editors often leave a stale one behind, so it is believed
/// only if it has the picture's shape.
enum EmbeddedThumbnail {
  /// Decoded and upright, or the reason why it cannot be used.
  enum Search {
    case found(VipsImage)
    case absent
    case refused(String)
  }

  /// An APP1 segment holds no more.
  private static let longest = 65_535
  /// How far width to height may differ from the picture's.
  private static let tolerance = 0.01

  /// - Parameter decoder: the picture it belongs to.
  /// - Parameters width, height: what is wanted of it; a smaller one is refused.
  static func search(
    in decoder: PictureDecoder, width: Int, height: Int, limits: RenderLimits
  ) throws(RenderFailure) -> Search {
    guard let bytes = extract(from: try decoder.exif()) else { return .absent }
    guard ImageFormat.sniff(bytes) == .jpeg else { return .refused("it is no JPEG") }
    guard let thumbnail = decode(bytes, limits) else { return .refused("it does not decode") }
    guard let info = decoder.info else { return .absent }
    let own = Double(thumbnail.width) / Double(thumbnail.height)
    let real = Double(info.width) / Double(info.height)
    guard abs(own / real - 1) <= tolerance else {
      return .refused("its shape is \(thumbnail.width)x\(thumbnail.height), not the picture's")
    }
    let upright: VipsImage
    do {
      // Turned like the picture it was made for, whatever its own tags say.
      upright = try thumbnail.turned(info.orientation)
    } catch {
      return .refused("it does not decode")
    }
    guard upright.width >= width, upright.height >= height else {
      return .refused("its \(upright.width)x\(upright.height) pixels are too few")
    }
    return .found(upright)
  }

  private static func extract(from exif: [UInt8]) -> [UInt8]? {
    var count = 0
    let bytes = exif.withUnsafeBufferPointer { pe_thumbnail($0.baseAddress, $0.count, longest, &count) }
    guard let bytes else { return nil }
    defer { pe_free(bytes) }
    return [UInt8](UnsafeBufferPointer(start: bytes, count: count))
  }

  private static func decode(_ bytes: [UInt8], _ limits: RenderLimits) -> VipsImage? {
    guard let header = try? ImageHeader.read(bytes),
      (try? limits.check(header, byteCount: bytes.count)) != nil
    else { return nil }
    return try? VipsSource(bytes).image(.jpeg, shrink: 1, isStrict: false).inMemory()
  }
}
