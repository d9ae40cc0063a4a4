/// An animated GIF as a browser shows it, made and read without the decoders that are tested.
public struct GIFFilm: Hashable, Sendable {
  public struct Frame: Hashable, Sendable {
    /// Hundredths of a second.
    public var delay: Int
    /// Red, green, blue and alpha of the whole canvas, row by row.
    public var canvas: [UInt8]
  }

  public private(set) var width: Int
  public private(set) var height: Int
  /// The number in the Netscape block; nil without one, and then it plays once.
  public private(set) var loop: Int?
  public private(set) var frames: [Frame] = []

  private var canvas: [UInt8]
  private var control: [UInt8] = [0, 0, 0, 0]

  /// Reads a GIF, its frames laid upon one another as their disposals say (GIF89a specification).
  public init(_ bytes: [UInt8]) {
    (width, height) = (Self.u16(bytes, 6), Self.u16(bytes, 8))
    canvas = [UInt8](repeating: 0, count: width * height * 4)
    var offset = 13
    let palette = Self.colors(bytes, flags: bytes[10], &offset)
    while offset < bytes.count, bytes[offset] != 0x3B {
      if bytes[offset] == 0x21 {
        let label = bytes[offset + 1]
        offset += 2
        let data = Self.blocks(bytes, &offset)
        if label == 0xF9 { control = data }
        if label == 0xFF, data.starts(with: Array("NETSCAPE2.0".utf8)) { loop = Self.u16(data, 12) }
      } else {
        let place = [1, 3, 5, 7].map { Self.u16(bytes, offset + $0) }
        let flags = bytes[offset + 9]
        offset += 10
        let own = Self.colors(bytes, flags: flags, &offset)
        let size = Int(bytes[offset])
        offset += 1
        let indexes = Self.unpacked(Self.blocks(bytes, &offset), size)
        add(indexes, at: place, own.isEmpty ? palette : own)
      }
    }
  }

  private mutating func add(_ indexes: [Int], at place: [Int], _ palette: [[UInt8]]) {
    let before = canvas
    let (left, top, wide, high) = (place[0], place[1], place[2], place[3])
    let clear = control[0] & 1 == 1 ? Int(control[3]) : -1
    for (index, color) in indexes.prefix(wide * high).enumerated() where color != clear {
      let (x, y) = (left + index % wide, top + index / wide)
      guard x < width, y < height else { continue }
      let at = (y * width + x) * 4
      canvas.replaceSubrange(at..<at + 4, with: palette[color] + [255])
    }
    frames.append(Frame(delay: Self.u16(control, 1), canvas: canvas))
    switch control[0] >> 2 & 7 {
    case 2:
      for row in top..<max(min(top + high, height), top) {
        for x in left..<max(min(left + wide, width), left) {
          canvas.replaceSubrange((row * width + x) * 4..<(row * width + x + 1) * 4, with: [0, 0, 0, 0])
        }
      }
    case 3, 4: canvas = before
    default: break
    }
    control = [0, 0, 0, 0]
  }

  private static func u16(_ bytes: [UInt8], _ offset: Int) -> Int {
    Int(bytes[offset]) | Int(bytes[offset + 1]) << 8
  }

  private static func colors(_ bytes: [UInt8], flags: UInt8, _ offset: inout Int) -> [[UInt8]] {
    guard flags & 0x80 != 0 else { return [] }
    let count = 2 << Int(flags & 7)
    defer { offset += count * 3 }
    return (0..<count).map { Array(bytes[(offset + $0 * 3)..<(offset + $0 * 3 + 3)]) }
  }

  /// Sub-blocks without their lengths.
  private static func blocks(_ bytes: [UInt8], _ offset: inout Int) -> [UInt8] {
    var data: [UInt8] = []
    while bytes[offset] != 0 {
      let size = Int(bytes[offset])
      data += bytes[(offset + 1)...(offset + size)]
      offset += 1 + size
    }
    offset += 1
    return data
  }

  private static func unpacked(_ data: [UInt8], _ minimum: Int) -> [Int] {
    let clear = 1 << minimum
    var (table, indexes, last): ([[Int]], [Int], [Int]?) = ([], [], nil)
    var (size, bits, held) = (minimum + 1, 0, 0)
    for byte in data {
      held |= Int(byte) << bits
      bits += 8
      while bits >= size {
        let code = held & (1 << size - 1)
        held >>= size
        bits -= size
        if code == clear {
          table = (0..<clear).map { [$0] } + [[], []]
          (size, last) = (minimum + 1, nil)
          continue
        }
        if code == clear + 1 { return indexes }
        let entry = code < table.count ? table[code] : (last ?? []) + [(last ?? [0])[0]]
        indexes += entry
        if let last, table.count < 4096 { table.append(last + [entry[0]]) }
        last = entry
        if table.count == 1 << size, size < 12 { size += 1 }
      }
    }
    return indexes
  }
}

extension GIFFilm {
  /// A part of the canvas in one colour, and what becomes of it afterwards.
  public struct Part: Sendable {
    var place: [Int]
    var color: Int
    var delay: Int
    var disposal: UInt8

    /// - Parameters:
    ///   - color: red, green, blue, white, or 4 for the transparent one.
    ///   - disposal: 1 leaves it, 2 clears it, 3 brings back what was there.
    public init(
      _ left: Int, _ top: Int, _ width: Int, _ height: Int, color: Int, delay: Int, disposal: UInt8 = 1
    ) {
      place = [left, top, width, height]
      (self.color, self.delay, self.disposal) = (color, delay, disposal)
    }
  }

  /// The bytes of a GIF.
  ///
  /// - Parameters:
  ///   - loop: nil without a Netscape block.
  ///   - hasClearColor: without one nothing in the file says that something is transparent.
  public static func bytes(
    _ width: Int, _ height: Int, loop: Int? = 0, hasClearColor: Bool = true, _ parts: [Part]
  ) -> [UInt8] {
    func little(_ number: Int) -> [UInt8] { [UInt8(number & 255), UInt8(number >> 8)] }
    var bytes = Array("GIF89a".utf8) + little(width) + little(height) + [0xF6, 0, 0]
    let colors: [[UInt8]] = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255]]
    for index in 0..<128 { bytes += index < 4 ? colors[index] : [0, 0, 0] }
    if let loop { bytes += [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1] + little(loop) + [0] }
    for part in parts {
      bytes += [0x21, 0xF9, 4, part.disposal << 2 | (hasClearColor ? 1 : 0)] + little(part.delay) + [4, 0]
      bytes += [0x2C] + part.place.flatMap(little) + [0, 7]
      // Codes of eight bits that never grow: the table is cleared in time.
      let codes = (0..<part.place[2] * part.place[3]).flatMap {
        $0 % 100 == 0 ? [128, part.color] : [part.color]
      }
      let data = (codes + [129]).map { UInt8($0) }
      for start in stride(from: 0, to: data.count, by: 255) {
        let block = data[start..<min(start + 255, data.count)]
        bytes += [UInt8(block.count)] + block
      }
      bytes += [0]
    }
    return bytes + [0x3B]
  }

  /// Four frames with every disposal, parts of the canvas, something transparent, and different delays; played four times.
  public static let sample = bytes(
    40, 30, loop: 3,
    [
      Part(0, 0, 40, 30, color: 0, delay: 10), Part(5, 5, 10, 10, color: 1, delay: 20, disposal: 2),
      Part(20, 5, 10, 10, color: 2, delay: 7, disposal: 3), Part(0, 20, 15, 10, color: 3, delay: 100),
    ])

  /// Like a GIF that does not move.
  public static let still = bytes(40, 30, loop: nil, [Part(0, 0, 40, 30, color: 2, delay: 0)])
}
