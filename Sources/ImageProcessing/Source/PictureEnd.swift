import Rendering

/// Whether bytes reach as far as their own format promises. libvips' message does not tell a cut file
/// from a damaged one reliably, so this does.
enum PictureEnd {
  /// True where the format says how long the file is and it is shorter: nothing of it is to be trusted.
  static func isCertainlyMissing(_ bytes: [UInt8], _ header: ImageHeader) -> Bool {
    switch header.format {
    case .gif: !header.isComplete
    case .webp: riffLength(bytes).map { $0 > bytes.count } ?? true
    default: false
    }
  }

  /// True where the mark that ends a file of this format is not there. Decoders tell whether pixels are
  /// missing too; this only gives a failure its name.
  static func isProbablyMissing(_ bytes: [UInt8], _ header: ImageHeader) -> Bool {
    switch header.format {
    case .jpeg: !contains([0xFF, 0xD9], in: bytes.suffix(1024))
    case .png: !contains(Array("IEND".utf8), in: bytes.suffix(1024))
    case .gif, .webp: isCertainlyMissing(bytes, header)
    case .tiff, .heif, .avif: false
    }
  }

  /// RIFF counts the bytes after its first eight.
  private static func riffLength(_ bytes: [UInt8]) -> Int? {
    guard bytes.count >= 8 else { return nil }
    return bytes[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) } + 8
  }

  private static func contains(_ mark: [UInt8], in tail: ArraySlice<UInt8>) -> Bool {
    tail.indices.contains { tail[$0...].starts(with: mark) }
  }
}
