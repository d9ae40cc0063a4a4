/// Steps over the bytes of a cache key: a key is compared byte by byte, so no character may hide another.
package struct KeyScanner {
  package let bytes: ArraySlice<UInt8>
  package private(set) var position: Int

  package init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  package init(_ text: String) { self.init(Array(text.utf8)[...]) }

  package var atEnd: Bool { position >= bytes.endIndex }
  package var rest: ArraySlice<UInt8> { bytes[position...] }

  package mutating func move(to position: Int) { self.position = position }

  /// What lies between a place and here.
  package func text(from start: Int) -> String { String(decoding: bytes[start..<position], as: UTF8.self) }

  package func isAt(_ literal: String) -> Bool { rest.starts(with: literal.utf8) }

  package mutating func take(_ literal: String) -> Bool {
    guard isAt(literal) else { return false }
    position += literal.utf8.count
    return true
  }

  /// A number in decimals, with an exponent where there is one.
  package mutating func number() -> Double? {
    let start = position
    _ = take("-")
    guard digits() else { return nothing(start) }
    if take("."), !digits() { return nothing(start) }
    let mantissa = position
    if take("e") || take("E") {
      if !take("-") { _ = take("+") }
      if !digits() { position = mantissa }
    }
    return Double(text(from: start))
  }

  package mutating func whole() -> Int? {
    let start = position
    _ = take("-")
    guard digits() else { return nothing(start) }
    return Int(text(from: start))
  }

  package mutating func unsigned() -> UInt? {
    let start = position
    return digits() ? UInt(text(from: start)) : nil
  }

  /// Everything up to a literal, which stays.
  package mutating func text(upTo literal: String) -> String? {
    guard let end = index(of: literal) else { return nil }
    let text = String(decoding: bytes[position..<end], as: UTF8.self)
    position = end
    return text
  }

  /// Where a literal comes next.
  package func index(of literal: String) -> Int? {
    let wanted = Array(literal.utf8)
    guard let first = wanted.first, bytes.endIndex - position >= wanted.count else { return nil }
    for start in position...(bytes.endIndex - wanted.count)
    where bytes[start] == first && bytes[start...].starts(with: wanted) { return start }
    return nil
  }

  package mutating func hexadecimals() -> ArraySlice<UInt8> {
    let start = position
    while position < bytes.endIndex, bytes[position].isHexadecimalDigit { position += 1 }
    return bytes[start..<position]
  }

  private mutating func digits() -> Bool {
    let start = position
    while position < bytes.endIndex, bytes[position].isDigit { position += 1 }
    return position > start
  }

  private mutating func nothing<T>(_ start: Int) -> T? {
    position = start
    return nil
  }
}
