/// JSON (RFC 8259) and NDJSON, byte by byte: nothing is held but the place in the text and the row's own fields.
struct JSONParser: FeedParser {
  private enum State {
    case value, valueOrEnd, keyOrEnd, key, colon, commaOrEnd, over
    case string, escape, unicode
    case literal
    case minus, zero, digits, point, fraction, exponent, exponentSign, exponentDigits
  }

  private static let literals = ["true", "false", "null"].map { Array($0.utf8) }

  private let isLines: Bool
  private var state = State.value
  private var isKey = false
  private var path: JSONPath
  /// The rest of `true`, `false` or `null`.
  private var literal: ArraySlice<UInt8> = []
  private var escape: (digits: Int, value: UInt32) = (0, 0)
  /// The first half of a surrogate pair.
  private var surrogate: UInt32?
  private var place = (line: 1, column: 0)
  private var hasText = false
  private var isSkipping = false

  init(_ query: FeedQuery) {
    isLines = query.format == .ndjson
    path = JSONPath(query)
  }

  mutating func read(
    _ bytes: UnsafeBufferPointer<UInt8>, _ take: (FeedEvent) -> Void
  ) throws(FeedFault) {
    var index = 0
    while index < bytes.count {
      if isSkipping {
        while index < bytes.count, bytes[index] != 10 { index += 1 }
        guard index < bytes.count else { return }
        isSkipping = false
        restart()
        place = (place.line + 1, 0)
        index += 1
        continue
      }
      if state == .string {
        let start = index
        while index < bytes.count, bytes[index] != 0x22, bytes[index] != 0x5C, bytes[index] >= 0x20 {
          index += 1
        }
        place.column += index - start
        surrogate = index > start ? nil : surrogate
        try path.append(UnsafeBufferPointer(rebasing: bytes[start..<index]), isKey: isKey)
        guard index < bytes.count else { return }
      }
      let byte = bytes[index]
      index += 1
      place.column += 1
      do throws(FeedFault) { try read(byte, take) } catch {
        guard isLines, error.row > 0 else { throw error }
        take(.fault(error))
        isSkipping = byte != 10
        if byte == 10 { restart() }
      }
      if byte == 10 { place = (place.line + 1, 0) }
    }
  }

  mutating func finish(_ take: (FeedEvent) -> Void) throws(FeedFault) {
    if isSkipping { return }
    if isNumberComplete { try endValue(take) }
    guard state == .over || isLines && !hasText else {
      let fault = fault(hasText ? "it ends too early" : "it is empty")
      guard isLines else { throw fault }
      return take(.fault(fault))
    }
    try path.finish()
  }

  /// The next line of NDJSON.
  private mutating func restart() {
    state = .value
    isKey = false
    hasText = false
    surrogate = nil
    path.restart()
  }

  private func fault(_ message: String) -> FeedFault {
    FeedFault(
      row: max(1, path.nextRow),
      isLines
        ? "\(message), at column \(place.column)"
        : "\(message), at line \(place.line), column \(place.column)",
      help: isLines ? "each line is a JSON value" : "the file has to be valid JSON")
  }

  private mutating func read(_ byte: UInt8, _ take: (FeedEvent) -> Void) throws(FeedFault) {
    switch state {
    case .string, .escape, .unicode: return try readString(byte, take)
    case .literal:
      guard byte == literal.first else { throw fault("a value is expected") }
      literal = literal.dropFirst()
      try path.append([byte], isKey: false)
      if literal.isEmpty { try endValue(take) }
      return
    case .minus, .zero, .digits, .point, .fraction, .exponent, .exponentSign, .exponentDigits:
      if try readNumber(byte) { return }
      try endValue(take)
    default: break
    }
    switch byte {
    case 0x20, 9, 13: return
    case 10:
      guard isLines else { return }
      guard state == .over || !hasText else { throw fault("the line ends within a value") }
      return restart()
    default: break
    }
    hasText = true
    try readStructure(byte, take)
  }

  private mutating func readStructure(_ byte: UInt8, _ take: (FeedEvent) -> Void) throws(FeedFault) {
    switch (state, byte) {
    case (.value, _),
      (.valueOrEnd, _) where byte != UInt8(ascii: "]"):
      try beginValue(byte)
    case (.keyOrEnd, UInt8(ascii: "\"")), (.key, UInt8(ascii: "\"")):
      path.beginKey()
      (state, isKey) = (.string, true)
    case (.colon, UInt8(ascii: ":")): state = .value
    case (.commaOrEnd, UInt8(ascii: ",")):
      state = path.isInArray ? .value : .key
      if path.isInArray { path.nextElement() }
    case (.valueOrEnd, UInt8(ascii: "]")), (.keyOrEnd, UInt8(ascii: "}")),
      (.commaOrEnd, UInt8(ascii: "]")) where path.isInArray,
      (.commaOrEnd, UInt8(ascii: "}")) where !path.isInArray:
      path.endContainer(take)
      state = path.isAtRoot ? .over : .commaOrEnd
    case (.keyOrEnd, _), (.key, _): throw fault("a member's name in double quotes is expected")
    case (.colon, _): throw fault("a colon is expected")
    case (.over, _): throw fault("text follows the value")
    default: throw fault("a comma or the end of the \(path.isInArray ? "array" : "object") is expected")
    }
  }

  private mutating func beginValue(_ byte: UInt8) throws(FeedFault) {
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      let isArray = byte == UInt8(ascii: "[")
      guard try path.beginContainer(isArray: isArray) else {
        throw fault("more than \(FeedLimits.depth) arrays and objects are within one another")
      }
      state = isArray ? .valueOrEnd : .keyOrEnd
      return
    case UInt8(ascii: "\""): (state, isKey) = (.string, false)
    case UInt8(ascii: "-"): state = .minus
    case UInt8(ascii: "0"): state = .zero
    case UInt8(ascii: "1")...UInt8(ascii: "9"): state = .digits
    default:
      guard let word = Self.literals.first(where: { $0[0] == byte }) else {
        throw fault("a value is expected")
      }
      state = .literal
      literal = word.dropFirst()
    }
    path.beginScalar()
    if state != .string { try path.append([byte], isKey: false) }
  }

  private mutating func endValue(_ take: (FeedEvent) -> Void) throws(FeedFault) {
    try path.endScalar(isNull: state == .literal && path.endsWithNull, take)
    state = path.isAtRoot ? .over : .commaOrEnd
  }

  // MARK: Strings

  private mutating func readString(_ byte: UInt8, _ take: (FeedEvent) -> Void) throws(FeedFault) {
    switch state {
    case .string where byte == UInt8(ascii: "\""):
      if isKey {
        state = .colon
      } else {
        try endValue(take)
      }
      surrogate = nil
    case .string where byte == UInt8(ascii: "\\"): state = .escape
    case .string: throw fault("a control character stands in a string")
    case .escape:
      state = .string
      switch byte {
      case UInt8(ascii: "u"): (state, escape) = (.unicode, (0, 0))
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): try path.append([byte], isKey: isKey)
      case UInt8(ascii: "b"): try path.append([8], isKey: isKey)
      case UInt8(ascii: "f"): try path.append([12], isKey: isKey)
      case UInt8(ascii: "n"): try path.append([10], isKey: isKey)
      case UInt8(ascii: "r"): try path.append([13], isKey: isKey)
      case UInt8(ascii: "t"): try path.append([9], isKey: isKey)
      default: throw fault("no such escape is known in JSON")
      }
      if byte != UInt8(ascii: "u") { surrogate = nil }
    default:
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
        throw fault("four hexadecimal digits are expected behind \\u")
      }
      // fits: a digit is below 16, and there are four of them.
      escape = (escape.digits + 1, escape.value << 4 | UInt32(digit))
      if escape.digits == 4 {
        state = .string
        try endUnicode(escape.value)
      }
    }
  }

  /// Half of a pair alone is what any other damage is: U+FFFD.
  private mutating func endUnicode(_ value: UInt32) throws(FeedFault) {
    var value = value
    if let first = surrogate, (0xDC00...0xDFFF).contains(value) {
      // In place of the character that stood for the first half.
      path.removeLast(3, isKey: isKey)
      value = 0x10000 + (first - 0xD800) << 10 + (value - 0xDC00)
      surrogate = nil
    } else {
      surrogate = (0xD800...0xDBFF).contains(value) ? value : nil
    }
    let scalar = Unicode.Scalar(value) ?? "\u{FFFD}"
    try path.append(Array(String(scalar).utf8), isKey: isKey)
  }

  // MARK: Numbers

  private var isNumberComplete: Bool {
    switch state {
    case .zero, .digits, .fraction, .exponentDigits: true
    default: false
    }
  }

  /// - Returns: false where the number was over before this byte.
  private mutating func readNumber(_ byte: UInt8) throws(FeedFault) -> Bool {
    let isDigit = (48...57).contains(byte)
    let next: State? =
      switch (state, byte) {
      case (.minus, UInt8(ascii: "0")): .zero
      case (.minus, _) where isDigit: .digits
      case (.digits, _) where isDigit: .digits
      case (.zero, UInt8(ascii: ".")), (.digits, UInt8(ascii: ".")): .point
      case (.point, _) where isDigit, (.fraction, _) where isDigit: .fraction
      case (.zero, _) where byte | 0x20 == 0x65, (.digits, _) where byte | 0x20 == 0x65,
        (.fraction, _) where byte | 0x20 == 0x65:
        .exponent
      case (.exponent, UInt8(ascii: "+")), (.exponent, UInt8(ascii: "-")): .exponentSign
      case (.exponent, _) where isDigit, (.exponentSign, _) where isDigit, (.exponentDigits, _) where isDigit:
        .exponentDigits
      default: nil
      }
    guard let next else {
      guard isNumberComplete else { throw fault("a digit is expected") }
      return false
    }
    state = next
    try path.append([byte], isKey: false)
    return true
  }
}
