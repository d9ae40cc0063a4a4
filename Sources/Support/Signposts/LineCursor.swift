/// Goes through one line of a log in the fixed form that ``SignpostLogExporter`` writes.
struct LineCursor {
  let bytes: UnsafeRawBufferPointer
  private(set) var position = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Steps over a text, if it stands here.
  mutating func skip(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard position + count <= bytes.count else { return false }
    for offset in 0..<count where bytes[position + offset] != text.utf8Start[offset] { return false }
    position += count
    return true
  }

  /// A whole number, at most 18 digits.
  mutating func integer() -> Int64? {
    let isNegative = skip("-")
    let start = position
    var number: Int64 = 0
    while position < bytes.count, position - start < 18 {
      let digit = bytes[position] &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      number = number * 10 + Int64(digit)
      position += 1
    }
    guard position > start else { return nil }
    return isNegative ? -number : number
  }

  /// The bytes up to a closing quote; nil where a backslash would need another reader.
  mutating func plainText() -> UnsafeRawBufferPointer? {
    let start = position
    while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
      if bytes[position] == UInt8(ascii: "\\") { return nil }
      position += 1
    }
    guard position < bytes.count else { return nil }
    position += 1
    return UnsafeRawBufferPointer(rebasing: bytes[start..<(position - 1)])
  }

  /// The text of a string without escapes, or the digits of a number.
  mutating func scalar() -> UnsafeRawBufferPointer? {
    if skip("\"") { return plainText() }
    let start = position
    guard integer() != nil else { return nil }
    return UnsafeRawBufferPointer(rebasing: bytes[start..<position])
  }

  /// Goes to the value of a top-level member. Names and strings are walked through, so that no text
  /// inside a string is taken for a member.
  mutating func find(_ key: StaticString) -> Found {
    while position < bytes.count {
      guard skip(",\"") else { return bytes[position] == UInt8(ascii: "}") ? .absent : .unclear }
      let isWanted = skip(key) && skip("\":")
      if isWanted { return .here }
      guard skipString(), skip(":"), skipValue() else { return .unclear }
    }
    return .unclear
  }

  enum Found { case here, absent, unclear }

  /// To behind the closing quote.
  private mutating func skipString() -> Bool {
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        position += 1
        return true
      case UInt8(ascii: "\\"): position += 2
      default: position += 1
      }
    }
    return false
  }

  /// Strings, numbers and words; anything deeper is for another reader.
  private mutating func skipValue() -> Bool {
    if skip("\"") { return skipString() }
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: ","), UInt8(ascii: "}"): return true
      case UInt8(ascii: "{"), UInt8(ascii: "["): return false
      default: position += 1
      }
    }
    return false
  }
}
