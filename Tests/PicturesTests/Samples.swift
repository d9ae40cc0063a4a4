/// The least bytes that make a picture's header, put together by hand so that every field can lie.
enum Samples {
  static func bigEndian(_ value: Int, _ size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  static func littleEndian(_ value: Int, _ size: Int) -> [UInt8] { bigEndian(value, size).reversed() }

  /// Parts one behind the other.
  static func join(_ parts: [UInt8]...) -> [UInt8] { Array(parts.joined()) }

  // MARK: JPEG

  static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
    join([0xFF, marker], bigEndian(body.count + 2, 2), body)
  }

  static func frameHeader(
    _ width: Int, _ height: Int, marker: UInt8 = 0xC0, factors: [UInt8] = [0x22, 0x11, 0x11]
  ) -> [UInt8] {
    var body = join([8], bigEndian(height, 2), bigEndian(width, 2), [UInt8(factors.count)])
    for (index, factor) in factors.enumerated() { body += [UInt8(index + 1), factor, 0] }
    return segment(marker, body)
  }

  /// The head of a scan and a few bytes of data, a stuffed and a restart mark among them.
  static func scan(components: Int = 3) -> [UInt8] {
    var body = [UInt8(components)]
    for index in 1...components { body += [UInt8(index), 0] }
    return join(segment(0xDA, body + [0, 63, 0]), [0x12, 0xFF, 0x00, 0x34, 0xFF, 0xD0, 0x56])
  }

  static func jpeg(
    _ width: Int, _ height: Int, marker: UInt8 = 0xC0, factors: [UInt8] = [0x22, 0x11, 0x11],
    before: [UInt8] = [], scanned: Int = 3
  ) -> [UInt8] {
    join(
      // An empty segment of Huffman tables is as good as any for those who read the head alone.
      [0xFF, 0xD8], before, [0xFF, 0xC4, 0, 2], frameHeader(width, height, marker: marker, factors: factors),
      scan(components: scanned), [0xFF, 0xD9])
  }

  // MARK: PNG

  static func chunk(_ type: String, _ body: [UInt8]) -> [UInt8] {
    join(bigEndian(body.count, 4), Array(type.utf8), body, [0, 0, 0, 0])
  }

  static func png(
    _ width: Int, _ height: Int, bits: UInt8 = 8, colorType: UInt8 = 2, interlace: UInt8 = 0,
    more: [UInt8] = [], end: [UInt8] = chunk("IEND", [])
  ) -> [UInt8] {
    let header = join(bigEndian(width, 4), bigEndian(height, 4), [bits, colorType, 0, 0, interlace])
    return join(
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], chunk("IHDR", header), more,
      chunk("IDAT", [1, 2, 3]), end)
  }

  // MARK: GIF

  static func gifFrame(_ x: Int, _ y: Int, _ width: Int, _ height: Int, interlaced: Bool = false) -> [UInt8] {
    join(
      [0x2C], littleEndian(x, 2), littleEndian(y, 2), littleEndian(width, 2), littleEndian(height, 2),
      [interlaced ? 0x40 : 0, 2, 2, 0x4C, 0x01, 0])
  }

  /// A graphic control extension that declares a transparent colour.
  static let gifTransparency: [UInt8] = [0x21, 0xF9, 4, 1, 0, 0, 0, 0]

  static func gif(_ width: Int, _ height: Int, _ blocks: [UInt8], trailer: [UInt8] = [0x3B]) -> [UInt8] {
    join(
      Array("GIF89a".utf8), littleEndian(width, 2), littleEndian(height, 2), [0x80, 0, 0],
      [0, 0, 0, 255, 255, 255], blocks, trailer)
  }

  // MARK: WebP

  static func webpChunk(_ type: String, _ body: [UInt8]) -> [UInt8] {
    join(Array(type.utf8), littleEndian(body.count, 4), body, body.count % 2 == 1 ? [0] : [])
  }

  static func webp(_ chunks: [UInt8]) -> [UInt8] {
    join(Array("RIFF".utf8), littleEndian(chunks.count + 4, 4), Array("WEBP".utf8), chunks)
  }

  static func webpLossy(_ width: Int, _ height: Int) -> [UInt8] {
    let size = join(littleEndian(width, 2), littleEndian(height, 2))
    return webp(webpChunk("VP8 ", join([0x30, 1, 0, 0x9D, 0x01, 0x2A], size, [0, 0])))
  }

  static func webpLossless(_ width: Int, _ height: Int, alpha: Bool) -> [UInt8] {
    let packed = (width - 1) | (height - 1) << 14 | (alpha ? 1 << 28 : 0)
    return webp(webpChunk("VP8L", join([0x2F], littleEndian(packed, 4), [0])))
  }

  static func webpExtended(_ width: Int, _ height: Int, flags: UInt8, frames: Int = 0) -> [UInt8] {
    let canvas = join([flags, 0, 0, 0], littleEndian(width - 1, 3), littleEndian(height - 1, 3))
    var chunks = join(webpChunk("VP8X", canvas), webpChunk("ANIM", [0, 0, 0, 0, 0, 0]))
    for _ in 0..<frames { chunks += webpChunk("ANMF", [UInt8](repeating: 0, count: 17)) }
    return webp(chunks)
  }

  // MARK: TIFF

  /// Directories one behind the other; `next` says where the last one points.
  static func tiff(
    _ entries: [(tag: Int, type: Int, value: Int)], pages: Int = 1, next: Int = 0, little: Bool = true
  ) -> [UInt8] {
    func number(_ value: Int, _ size: Int) -> [UInt8] {
      little ? littleEndian(value, size) : bigEndian(value, size)
    }
    let size = 2 + 12 * entries.count + 4
    var bytes = join(Array((little ? "II" : "MM").utf8), number(42, 2), number(8, 4))
    for page in 1...pages {
      bytes += number(entries.count, 2)
      for entry in entries {
        let value = entry.type == 3 ? number(entry.value, 2) + [0, 0] : number(entry.value, 4)
        bytes += join(number(entry.tag, 2), number(entry.type, 2), number(1, 4), value)
      }
      bytes += number(page == pages ? next : 8 + page * size, 4)
    }
    return bytes
  }

  static func tiff(_ width: Int, _ height: Int) -> [UInt8] {
    tiff([(256, 3, width), (257, 4, height), (258, 3, 8), (277, 3, 3)])
  }

  // MARK: HEIF

  static func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
    join(bigEndian(body.count + 8, 4), Array(type.utf8), body)
  }

  static func sizeProperty(_ width: Int, _ height: Int) -> [UInt8] {
    box("ispe", join([0, 0, 0, 0], bigEndian(width, 4), bigEndian(height, 4)))
  }

  static func heif(
    brand: String = "heic", compatible: [String] = ["mif1"], _ properties: [UInt8]
  ) -> [UInt8] {
    let brands = Array(compatible.joined().utf8)
    let items = box("iprp", join(box("ipco", properties), box("ipma", [0])))
    return join(
      box("ftyp", join(Array(brand.utf8), [0, 0, 0, 0], brands)),
      box("meta", join([0, 0, 0, 0], box("hdlr", [0]), items)), box("mdat", [1, 2, 3]))
  }

  /// One of each format, small and whole.
  static let all: [[UInt8]] = [
    jpeg(640, 480), png(640, 480), gif(64, 48, gifFrame(0, 0, 64, 48)), webpLossy(640, 480),
    webpLossless(640, 480, alpha: true), webpExtended(640, 480, flags: 0x12, frames: 3),
    tiff(640, 480), heif(sizeProperty(640, 480)), heif(brand: "avif", sizeProperty(640, 480)),
  ]
}
