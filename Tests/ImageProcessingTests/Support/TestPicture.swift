import Foundation

/// A small picture drawn by a formula, and its bytes as PNG.
struct TestPicture: Sendable {
  var width: Int
  var height: Int
  /// 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA.
  var bands: Int
  /// Row by row.
  var samples: [UInt8]

  init(_ width: Int, _ height: Int, bands: Int = 3, _ sample: (_ x: Int, _ y: Int, _ band: Int) -> Int) {
    self.width = width
    self.height = height
    self.bands = bands
    samples = []
    samples.reserveCapacity(width * height * bands)
    for y in 0..<height {
      for x in 0..<width {
        for band in 0..<bands { samples.append(UInt8(truncatingIfNeeded: sample(x, y, band))) }
      }
    }
  }

  /// Different everywhere, so that a turned or shifted copy shows.
  static func gradient(_ width: Int, _ height: Int, bands: Int = 3) -> TestPicture {
    TestPicture(width, height, bands: bands) { x, y, band in
      band == bands - 1 && bands % 2 == 0
        ? 255 - 100 * x / width
        : [255 * x / width, 255 * y / height, 128][band % 3]
    }
  }

  /// Hard to compress.
  static func noise(_ width: Int, _ height: Int, bands: Int = 3) -> TestPicture {
    var state: UInt32 = 7
    return TestPicture(width, height, bands: bands) { x, _, _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return Int(state >> 24) / 2 + x % 128
    }
  }

  static func plain(_ width: Int, _ height: Int, _ color: [Int]) -> TestPicture {
    TestPicture(width, height, bands: color.count) { _, _, band in color[band] }
  }

  /// The stored pixels of this picture for a file whose EXIF orientation is `orientation`.
  func stored(as orientation: Int) -> TestPicture {
    let swaps = orientation >= 5
    let (right, bottom) = (width - 1, height - 1)
    return TestPicture(swaps ? height : width, swaps ? width : height, bands: bands) { x, y, band in
      // Where the stored pixel shows (Exif 2.32, tag 274).
      let (shownX, shownY) =
        switch orientation {
        case 2: (right - x, y)
        case 3: (right - x, bottom - y)
        case 4: (x, bottom - y)
        case 5: (y, x)
        case 6: (right - y, x)
        case 7: (right - y, bottom - x)
        case 8: (y, bottom - x)
        default: (x, y)
        }
      return Int(samples[(shownY * width + shownX) * bands + band])
    }
  }

  typealias Chunk = (name: String, bytes: [UInt8])

  /// The file, not compressed, with other chunks before and behind the pixels.
  ///
  /// - Parameters:
  ///   - isDeep: 16 bits a sample, the second 8 like the first.
  ///   - filter: of each row, 0 to 4, by the formulas of the PNG specification (third edition, section 9.2).
  ///   - missing: rows that are left out at the end.
  ///   - window: how far back the compressed data may look, as 0 to 7.
  func png(
    chunks: [Chunk] = [], behind: [Chunk] = [], isDeep: Bool = false, filter: UInt8 = 0, missing: Int = 0,
    window: UInt8 = 7
  ) -> [UInt8] {
    let colorType: UInt8 = [0, 0, 4, 2, 6][bands]
    let row = width * bands
    var rows: [UInt8] = []
    for y in 0..<height - missing {
      let line = (0..<row).map { filtered($0, min(y, height - 1), filter) }
      rows += [filter] + (isDeep ? line.flatMap { [$0, $0] } : line)
    }
    var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    file += TestPicture.chunk(
      "IHDR", bigEndian(width) + bigEndian(height) + [isDeep ? 16 : 8, colorType, 0, 0, 0])
    for chunk in chunks { file += TestPicture.chunk(chunk.name, chunk.bytes) }
    file += TestPicture.chunk("IDAT", TestPicture.zlib(rows, window: window))
    for chunk in behind { file += TestPicture.chunk(chunk.name, chunk.bytes) }
    return file + TestPicture.chunk("IEND", [])
  }

  private func filtered(_ at: Int, _ y: Int, _ filter: UInt8) -> UInt8 {
    let row = width * bands
    func sample(_ at: Int, _ y: Int) -> Int { at < 0 || y < 0 ? 0 : Int(samples[y * row + at]) }
    let (left, above, corner) = (sample(at - bands, y), sample(at, y - 1), sample(at - bands, y - 1))
    let guess = left + above - corner
    let nearest = [left, above, corner].min { abs(guess - $0) < abs(guess - $1) } ?? 0
    let expected = [0, left, above, (left + above) / 2, nearest][Int(filter)]
    return UInt8(truncatingIfNeeded: sample(at, y) - expected)
  }

  private static let crcTable: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
  }

  static func chunk(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + bytes
    var crc: UInt32 = 0xFFFF_FFFF
    for byte in body {
      crc = crc >> 8 ^ crcTable[Int(UInt8(truncatingIfNeeded: crc) ^ byte)]
    }
    return bigEndian(bytes.count) + body + bigEndian(Int(~crc))
  }

  /// Stored blocks only.
  static func zlib(_ bytes: [UInt8], window: UInt8 = 7) -> [UInt8] {
    // With a checksum of five bits.
    let head = Int(window) << 12 | 0x800
    var result: [UInt8] = [UInt8(head >> 8), UInt8((31 - head % 31) % 31)]
    var (a, b) = (1, 0)
    for byte in bytes {
      a = (a + Int(byte)) % 65_521
      b = (b + a) % 65_521
    }
    for start in stride(from: 0, to: bytes.count, by: 65_535) {
      let block = bytes[start..<min(start + 65_535, bytes.count)]
      let isLast = start + 65_535 >= bytes.count
      let (low, high) = (UInt8(block.count & 255), UInt8(block.count >> 8))
      result += [isLast ? 1 : 0, low, high, ~low, ~high] + block
    }
    return result + bigEndian(b << 16 | a)
  }
}

func bigEndian(_ number: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(number >> $0 & 255) } }
