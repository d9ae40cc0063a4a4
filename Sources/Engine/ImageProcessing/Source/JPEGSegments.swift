/// The segments in front of a JPEG's pixels, in good order: what all decoders understand in the same way.
struct JPEGSegments {
  /// The only block, with its head; empty where there is none.
  private(set) var exif: ArraySlice<UInt8> = []
  /// The colour profile, put together of its pieces.
  private(set) var profile: [UInt8] = []

  /// A piece of a profile has its number and the number of all behind its name.
  private static let pieceHead = 14

  /// Nil for bytes in between, a marker that has no segment, an end, and whatever has a second meaning.
  init?(_ file: [UInt8]) {
    guard file.starts(with: [0xFF, 0xD8]) else { return nil }
    var (at, frames, seen, all) = (2, 0, 0, 0)
    while at + 4 <= file.count, file[at] == 0xFF {
      let (marker, length) = (file[at + 1], Int(file[at + 2]) << 8 | Int(file[at + 3]))
      guard length >= 2, at + 2 + length <= file.count else { return nil }
      let part = file[at + 4..<at + 2 + length]
      at += 2 + length
      switch marker {
      case 0xDA:
        guard frames == 1, seen == all else { return nil }
        return
      case 0xC0...0xC2: frames += 1
      case 0xC4, 0xDB, 0xDD: break
      case 0xE1 where part.starts(with: "Exif".utf8):
        guard exif.isEmpty else { return nil }
        exif = part
      case 0xE2 where part.starts(with: "ICC_PROFILE\0".utf8):
        let numbers = part.prefix(Self.pieceHead).suffix(2).map { Int($0) }
        guard part.count > Self.pieceHead, numbers[0] == seen + 1, seen == 0 || numbers[1] == all else {
          return nil
        }
        (seen, all) = (seen + 1, numbers[1])
        profile += part.dropFirst(Self.pieceHead)
      // libvips asks for no zero behind the name, and may find a profile here.
      case 0xE2 where part.starts(with: "ICC_PROFILE".utf8): return nil
      // Other applications' segments and comments; not arithmetic coding, nor hierarchies.
      case 0xE0..<0xFF: break
      default: return nil
      }
    }
    return nil
  }
}
