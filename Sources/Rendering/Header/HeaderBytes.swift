/// Bounded reading of a picture's header. Running off the end is ``RenderFailure/Code/truncated``,
/// never a trap, so the parsers above it can be written straight down.
struct HeaderBytes {
  enum Order { case bigEndian, littleEndian }

  let bytes: [UInt8]
  let format: ImageFormat
  var order = Order.bigEndian

  var count: Int { bytes.count }

  func u8(_ offset: Int) throws(RenderFailure) -> Int {
    guard offset >= 0, offset < bytes.count else { throw end() }
    return Int(bytes[offset])
  }

  func u16(_ offset: Int) throws(RenderFailure) -> Int { try number(offset, size: 2) }
  func u24(_ offset: Int) throws(RenderFailure) -> Int { try number(offset, size: 3) }
  func u32(_ offset: Int) throws(RenderFailure) -> Int { try number(offset, size: 4) }

  /// Four characters as one big-endian number, whatever the order of the other numbers.
  func tag(_ offset: Int) throws(RenderFailure) -> Int {
    guard offset >= 0, offset <= bytes.count - 4 else { throw end() }
    return bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
  }

  private func number(_ offset: Int, size: Int) throws(RenderFailure) -> Int {
    guard offset >= 0, offset <= bytes.count - size else { throw end() }
    var value = 0
    for index in 0..<size {
      let byte = Int(bytes[offset + index])
      value |= byte << (8 * (order == .bigEndian ? size - 1 - index : index))
    }
    return value
  }

  func end() -> RenderFailure {
    RenderFailure(
      .truncated, "the \(format.name) picture ends inside its header, after \(bytes.count) bytes")
  }

  func damaged(_ what: String) -> RenderFailure {
    RenderFailure(.damaged, "the \(format.name) picture \(what)")
  }
}

/// The number that ``HeaderBytes/tag(_:)`` gives for four ASCII characters.
func fourCharacters(_ text: StaticString) -> Int {
  text.withUTF8Buffer { $0.reduce(0) { $0 << 8 | Int($1) } }
}
