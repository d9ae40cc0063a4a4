/// The beginning of AV1 data: what it says of its colours (AV1 specification, sections 5.3 and 5.5).
struct AV1Sequence {
  private let source: HeaderBytes
  /// Of the next bit, the highest of a byte first.
  private var bit: Int

  /// The numbers of ITU-T H.273 for primaries, transfer and matrix, and 1 for the full range; nil where they are not found.
  static func colors(_ source: HeaderBytes, at start: Int) throws(RenderFailure) -> [Int]? {
    var offset = start
    // A delimiter may stand before the sequence header.
    for _ in 0..<4 {
      let head = try source.u8(offset)
      offset += 1 + (head >> 2 & 1)
      guard head & 2 != 0 else { return nil }
      var (size, shift) = (0, 0)
      repeat {
        size |= (try source.u8(offset) & 0x7F) << shift
        (offset, shift) = (offset + 1, shift + 7)
      } while try source.u8(offset - 1) & 0x80 != 0 && shift < 28
      if head >> 3 & 15 == 1 {
        var sequence = AV1Sequence(source: source, bit: offset * 8)
        return try sequence.colors()
      }
      offset += size
    }
    return nil
  }

  private mutating func read(_ count: Int) throws(RenderFailure) -> Int {
    var value = 0
    for _ in 0..<count {
      value = value << 1 | (try source.u8(bit / 8)) >> (7 - bit % 8) & 1
      bit += 1
    }
    return value
  }

  private mutating func flag() throws(RenderFailure) -> Bool { try read(1) == 1 }

  private mutating func colors() throws(RenderFailure) -> [Int]? {
    let profile = try read(3)
    _ = try read(1)
    let isReduced = try flag()
    if isReduced {
      _ = try read(5)
    } else {
      // Pictures have no timing.
      guard try read(1) == 0 else { return nil }
      let hasDelay = try flag()
      for _ in 0...(try read(5)) {
        _ = try read(12)
        if try read(5) > 7 { _ = try read(1) }
        if hasDelay, try flag() { _ = try read(4) }
      }
    }
    let (widthBits, heightBits) = (try read(4) + 1, try read(4) + 1)
    _ = try read(widthBits + heightBits)
    if !isReduced, try flag() { _ = try read(7) }
    // Blocks of 128, and two filters.
    _ = try read(3)
    if !isReduced { try skipTools() }
    // Super-resolution and two filters.
    _ = try read(3)
    let isDeep = try flag()
    if profile == 2, isDeep { _ = try read(1) }
    let isGrey = profile == 1 ? false : try flag()
    let numbers = try flag() ? [try read(8), try read(8), try read(8)] : [2, 2, 2]
    // sRGB as it is has no range.
    if !isGrey, numbers == [1, 13, 0] { return numbers + [1] }
    return numbers + [try read(1)]
  }

  private mutating func skipTools() throws(RenderFailure) {
    _ = try read(4)
    let hasOrder = try flag()
    if hasOrder { _ = try read(2) }
    let usesScreenTools = try flag() ? true : flag()
    if usesScreenTools, try !flag() { _ = try read(1) }
    if hasOrder { _ = try read(3) }
  }
}
