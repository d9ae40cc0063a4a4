#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The size of an encoded image, from the first bytes of its file.
struct EncodedImageHeader {
  var width: Int
  var height: Int
  var frameCount = 1

  init(width: Int, height: Int, frameCount: Int = 1) {
    self.width = width
    self.height = height
    self.frameCount = frameCount
  }

  /// Nil for formats that are not known and for sizes that are missing or zero.
  init?(_ data: Data) {
    let header: EncodedImageHeader? = data.withUnsafeBytes { buffer in
      let bytes = FileBytes(buffer)
      if bytes.has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], at: 0) { return .png(bytes) }
      if bytes.has([0xFF, 0xD8, 0xFF], at: 0) { return .jpeg(bytes) }
      if bytes.has(Array("GIF8".utf8), at: 0) { return .gif(bytes) }
      if bytes.has(Array("RIFF".utf8), at: 0), bytes.has(Array("WEBP".utf8), at: 8) { return .webp(bytes) }
      if bytes.has(Array("ftyp".utf8), at: 4) { return .isoMedia(bytes) }
      return nil
    }
    guard let header, header.width > 0, header.height > 0 else { return nil }
    self = header
  }
}

extension EncodedImageHeader {
  private static func png(_ bytes: FileBytes) -> Self? {
    guard bytes.has(Array("IHDR".utf8), at: 12), let width = bytes.bigEndian(4, at: 16),
      let height = bytes.bigEndian(4, at: 20)
    else { return nil }
    return Self(width: width, height: height)
  }

  /// Walks from segment to segment to the frame header.
  private static func jpeg(_ bytes: FileBytes) -> Self? {
    var offset = 2
    while let mark = bytes[offset], let kind = bytes[offset + 1] {
      guard mark == 0xFF else { return nil }
      switch kind {
      case 0xFF: offset += 1
      case 0x01, 0xD0...0xD8: offset += 2
      case 0xD9, 0xDA: return nil
      case 0xC0...0xCF where ![0xC4, 0xC8, 0xCC].contains(kind):
        guard let height = bytes.bigEndian(2, at: offset + 5), let width = bytes.bigEndian(2, at: offset + 7)
        else { return nil }
        return Self(width: width, height: height)
      default:
        guard let length = bytes.bigEndian(2, at: offset + 2), length >= 2 else { return nil }
        offset += 2 + length
      }
    }
    return nil
  }

  private static func webp(_ bytes: FileBytes) -> Self? {
    if bytes.has(Array("VP8X".utf8), at: 12) {
      guard let width = bytes.littleEndian(3, at: 24), let height = bytes.littleEndian(3, at: 27) else {
        return nil
      }
      return Self(width: width + 1, height: height + 1)
    }
    if bytes.has(Array("VP8L".utf8), at: 12) {
      guard bytes[20] == 0x2F, let bits = bytes.littleEndian(4, at: 21) else { return nil }
      return Self(width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1)
    }
    guard bytes.has(Array("VP8 ".utf8), at: 12), bytes.has([0x9D, 0x01, 0x2A], at: 23),
      let width = bytes.littleEndian(2, at: 26), let height = bytes.littleEndian(2, at: 28)
    else { return nil }
    return Self(width: width & 0x3FFF, height: height & 0x3FFF)
  }

  /// HEIF and AVIF: the largest `ispe` property is that of the whole picture; tiles and thumbnails have smaller ones.
  private static func isoMedia(_ bytes: FileBytes) -> Self? {
    let brands = ["heic", "heix", "hevc", "heim", "mif1", "msf1", "avif", "avis"]
    guard brands.contains(where: { bytes.has(Array($0.utf8), at: 8) }) else { return nil }
    let mark = Array("ispe".utf8)
    // The properties lie in front of the pictures.
    let sizes = (16..<min(bytes.count, 65_536)).lazy.filter { bytes.has(mark, at: $0) }.compactMap { offset in
      bytes.bigEndian(4, at: offset + 8).flatMap { width in
        bytes.bigEndian(4, at: offset + 12).map { Self(width: width, height: $0) }
      }
    }
    return sizes.max { ($0.width, $0.height) < ($1.width, $1.height) }
  }
}

extension EncodedImageHeader {
  /// Counts the frames by walking over the blocks. A file that ends too early has the frames that it has.
  static func gif(_ bytes: FileBytes) -> Self? {
    guard let width = bytes.littleEndian(2, at: 6), let height = bytes.littleEndian(2, at: 8),
      let flags = bytes[10]
    else { return nil }
    var offset = 13 + colorTableSize(flags)
    var frames = 0
    while let kind = bytes[offset] {
      switch kind {
      case 0x21:
        offset = endOfBlocks(bytes, from: offset + 2)
      case 0x2C:
        frames += 1
        offset = endOfBlocks(bytes, from: offset + 11 + colorTableSize(bytes[offset + 9] ?? 0))
      default:
        return Self(width: width, height: height, frameCount: max(1, frames))
      }
    }
    return Self(width: width, height: height, frameCount: max(1, frames))
  }

  private static func colorTableSize(_ flags: UInt8) -> Int {
    flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1)
  }

  private static func endOfBlocks(_ bytes: FileBytes, from start: Int) -> Int {
    var offset = start
    while let length = bytes[offset], length > 0 { offset += Int(length) + 1 }
    return offset + 1
  }
}

/// Bytes of a stranger's file: outside them there is nil.
struct FileBytes {
  private let buffer: UnsafeRawBufferPointer

  init(_ buffer: UnsafeRawBufferPointer) { self.buffer = buffer }

  var count: Int { buffer.count }

  subscript(offset: Int) -> UInt8? { buffer.indices.contains(offset) ? buffer[offset] : nil }

  func has(_ bytes: [UInt8], at offset: Int) -> Bool {
    offset + bytes.count <= buffer.count && buffer[offset..<(offset + bytes.count)].elementsEqual(bytes)
  }

  func bigEndian(_ size: Int, at offset: Int) -> Int? {
    guard offset + size <= buffer.count else { return nil }
    return buffer[offset..<(offset + size)].reduce(0) { $0 << 8 | Int($1) }
  }

  func littleEndian(_ size: Int, at offset: Int) -> Int? {
    guard offset + size <= buffer.count else { return nil }
    return buffer[offset..<(offset + size)].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
