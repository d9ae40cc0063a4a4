/// The image formats on our own table. What is not on it never reaches a decoder.
public enum ImageFormat: String, Codable, Hashable, Sendable, CaseIterable {
  case jpeg, png, gif, webp, tiff, heif, avif

  /// Decoded without being asked for. The others have to be allowed by name.
  public static let trusted: Set<ImageFormat> = [.jpeg, .png, .gif, .webp]
}

extension ImageFormat {
  /// As people write it.
  public var name: String {
    switch self {
    case .jpeg: "JPEG"
    case .png: "PNG"
    case .gif: "GIF"
    case .webp: "WebP"
    case .tiff: "TIFF"
    case .heif: "HEIF"
    case .avif: "AVIF"
    }
  }

  /// The format by the first bytes, or nil for all that is not on the table. Twelve bytes decide,
  /// but for the HEIF brands that say nothing about the coding (`mif1`, `msf1`): there the list of
  /// compatible brands behind them does.
  public static func sniff(_ bytes: some Collection<UInt8>) -> ImageFormat? {
    let head = Array(bytes.prefix(64))
    func starts(_ magic: [UInt8], at offset: Int = 0) -> Bool {
      head.dropFirst(offset).starts(with: magic)
    }
    if starts([0xFF, 0xD8, 0xFF]) { return .jpeg }
    if starts([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
    if starts(Array("GIF87a".utf8)) || starts(Array("GIF89a".utf8)) { return .gif }
    if starts(Array("RIFF".utf8)), starts(Array("WEBP".utf8), at: 8) { return .webp }
    if starts([0x49, 0x49, 0x2A, 0]) || starts([0x4D, 0x4D, 0, 0x2A]) { return .tiff }
    if starts(Array("ftyp".utf8), at: 4) { return sniffBrand(head) }
    return nil
  }

  /// Brands of ISO/IEC 23008-12 annex B and the AVIF specification.
  private static func sniffBrand(_ head: [UInt8]) -> ImageFormat? {
    func brand(_ offset: Int) -> String { String(decoding: head[offset..<offset + 4], as: UTF8.self) }
    guard head.count >= 12 else { return nil }
    switch brand(8) {
    case "avif", "avis": return .avif
    case "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs": return .heif
    case "mif1", "msf1":
      let boxSize = head[0..<4].reduce(0) { $0 << 8 | Int($1) }
      let end = min(boxSize, head.count) - 3
      let compatible = stride(from: 16, to: max(end, 16), by: 4).map(brand)
      return compatible.contains { $0 == "avif" || $0 == "avis" } ? .avif : .heif
    default: return nil
    }
  }
}
