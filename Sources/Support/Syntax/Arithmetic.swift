import Text

/// Sums and products as an app writes them for a `CGFloat`: `60*16/9`, `(390 - 2 * 16) / 2`.
///
/// They are worked out as Swift does for floating-point numbers, by the same operations in the same order, so that the
/// result is the same to the last bit: `*` and `/` before `+` and `-`, from left to right.
struct Arithmetic {
  private static let deepest = 8
  private var rest: Substring.UTF8View

  /// The number that a text gives; nil where it has none, or one that is beyond a float of the client's.
  static func value(_ text: String) -> Double? {
    if let number = DecimalText.double(text) { return Float(number).isFinite ? number : nil }
    var reader = Arithmetic(rest: text[...].utf8)
    guard let value = reader.sum(depth: 0), reader.next == nil, Float(value).isFinite else { return nil }
    return value
  }

  /// The next byte that is not white space.
  private var next: UInt8? {
    mutating get {
      rest = rest.drop(while: LineScanner.isSpace)
      return rest.first
    }
  }

  private mutating func take(_ characters: String) -> UInt8? {
    guard let byte = next, characters.utf8.contains(byte) else { return nil }
    return rest.removeFirst()
  }

  private mutating func sum(depth: Int) -> Double? {
    var value = product(depth: depth)
    while let left = value, let sign = take("+-") {
      value = product(depth: depth).map { sign == UInt8(ascii: "+") ? left + $0 : left - $0 }
    }
    return value
  }

  private mutating func product(depth: Int) -> Double? {
    var value = operand(depth: depth)
    while let left = value, let sign = take("*/") {
      value = operand(depth: depth).map { sign == UInt8(ascii: "*") ? left * $0 : left / $0 }
    }
    return value
  }

  private mutating func operand(depth: Int) -> Double? {
    if depth > Self.deepest { return nil }
    if take("-") != nil { return operand(depth: depth + 1).map { -$0 } }
    if take("(") != nil {
      let value = sum(depth: depth + 1)
      return take(")") == nil ? nil : value
    }
    _ = next
    let digits = rest.prefix { $0.isDigit || $0 == UInt8(ascii: ".") }
    rest = rest.dropFirst(digits.count)
    return DecimalText.double(String(Substring(digits)))
  }
}

extension LineScanner {
  /// A sum or a product, with the spaces in it; nil, and nothing is read, where something else comes.
  mutating func arithmetic() -> String? {
    let start = position
    var depth = 0
    let bytes = take { byte in
      if byte == UInt8(ascii: "(") { depth += 1 }
      if byte == UInt8(ascii: ")") { depth -= 1 }
      return depth >= 0 && (byte.isDigit || Self.isSpace(byte) || ".+-*/x()".utf8.contains(byte))
    }
    let text = bytes.prefix(bytes.count - bytes.reversed().prefix(while: Self.isSpace).count)
    let ends = next == UInt8(ascii: ",") || next == UInt8(ascii: ")")
    guard ends, depth <= 0, let first = text.first, first != UInt8(ascii: "x"), !"*/".utf8.contains(first),
      text.dropFirst().contains(where: "+-*/".utf8.contains)
    else {
      move(to: start)
      return nil
    }
    return String(decoding: text, as: UTF8.self)
  }
}
