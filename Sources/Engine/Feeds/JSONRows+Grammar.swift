/// JSON (RFC 8259), read value by value: nothing is held but the way to the place in the text.
extension JSONRows {
  /// A value and nothing else.
  mutating func document() throws(FeedFault) {
    guard try significant() != nil else { throw fault("it is empty") }
    try value(root)
    if try significant() != nil { throw fault("text follows the value") }
  }

  mutating func value(_ node: Node, level: Int = 0) throws(FeedFault) {
    switch try significant() {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      guard level < FeedLimits.depth else {
        throw FeedFault(
          at: text.place, "more than \(FeedLimits.depth) arrays and objects are within one another")
      }
      try container(node, level: level)
    case UInt8(ascii: "\""):
      try string()
      scalar(scratch, node)
    case let byte:
      scratch.removeAll(keepingCapacity: true)
      if byte == UInt8(ascii: "-") || byte?.isDigit == true {
        try number()
        scalar(scratch, node)
      } else {
        scalar(try literal() ? scratch : nil, node)
      }
    }
  }

  /// Where a message is about, and what is wrong there.
  func fault(_ message: String) -> FeedFault {
    FeedFault(
      at: text.place, message, help: isLine ? "each line is a JSON value" : "the file has to be valid JSON")
  }

  /// The next byte that is not white space.
  mutating func significant() throws(FeedFault) -> UInt8? {
    while let byte = try text.peek() {
      guard byte == 0x20 || byte == 9 || byte == 13 || byte == 10 && !isLine else { return byte }
      text.skip()
    }
    return nil
  }

  private func expected(_ what: String, at byte: UInt8?) -> FeedFault {
    if byte == nil { return fault("it ends too early") }
    return fault(byte == 10 ? "the line ends within a value" : "\(what) is expected")
  }

  // MARK: Arrays and objects

  private mutating func container(_ node: Node, level: Int) throws(FeedFault) {
    let isArray = try text.next() == UInt8(ascii: "[")
    let close = UInt8(ascii: isArray ? "]" : "}")
    var node = node
    begin(&node, isArray: isArray)
    var count = 0
    var next = try significant()
    while next != close || count > 0 {
      var name: [UInt8]?
      if !isArray {
        guard next == UInt8(ascii: "\"") else { throw expected("a member's name in double quotes", at: next) }
        try string()
        name = scratch
        // A value gets room of its own: to empty what the name keeps would take as much again, however short they are.
        scratch = []
        next = try significant()
        guard next == UInt8(ascii: ":") else { throw expected("a colon", at: next) }
        text.skip()
      }
      try value(child(of: node, name: name, index: count), level: level + 1)
      count += 1
      next = try significant()
      if next == close { break }
      guard next == UInt8(ascii: ",") else {
        throw expected("a comma or the end of the \(isArray ? "array" : "object")", at: next)
      }
      text.skip()
      next = try significant()
    }
    text.skip()
    end(node)
  }

  // MARK: Strings

  private mutating func string() throws(FeedFault) {
    text.skip()
    scratch.removeAll(keepingCapacity: true)
    surrogate = nil
    var isTooLong = false
    while true {
      try text.take(into: &scratch) { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") || $0 < 0x20 }
      if scratch.count > FeedLimits.field {
        isTooLong = true
        scratch.removeAll(keepingCapacity: true)
        continue
      }
      guard let byte = try text.peek() else { throw fault("it ends too early") }
      guard byte >= 0x20 else { throw fault("a control character stands in a string") }
      text.skip()
      if byte == UInt8(ascii: "\"") {
        // No field takes it.
        if isTooLong { scratch = Array(repeating: 0x20, count: FeedLimits.field + 1) }
        return
      }
      try escape()
    }
  }

  private mutating func escape() throws(FeedFault) {
    guard let byte = try text.peek() else { throw fault("it ends too early") }
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): scratch.append(byte)
    case UInt8(ascii: "b"): scratch.append(8)
    case UInt8(ascii: "f"): scratch.append(12)
    case UInt8(ascii: "n"): scratch.append(10)
    case UInt8(ascii: "r"): scratch.append(13)
    case UInt8(ascii: "t"): scratch.append(9)
    case UInt8(ascii: "u"): return try unicode()
    default: throw fault("no such escape is known in JSON")
    }
    text.skip()
  }

  /// Half of a pair alone is what any other damage is: U+FFFD.
  private mutating func unicode() throws(FeedFault) {
    text.skip()
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = try text.peek()?.hexadecimalValue else {
        throw fault("four hexadecimal digits are expected behind \\u")
      }
      value = value << 4 | UInt32(digit)
      text.skip()
    }
    let isFirst = (0xD800...0xDBFF).contains(value)
    if let first = surrogate, first.end == scratch.count, (0xDC00...0xDFFF).contains(value) {
      // In place of the character that stood for the first half.
      scratch.removeLast(3)
      value = 0x10000 + (first.value - 0xD800) << 10 + (value - 0xDC00)
    }
    scratch += String(Unicode.Scalar(value) ?? "\u{FFFD}").utf8
    surrogate = isFirst ? (scratch.count, value) : nil
  }

  // MARK: Numbers and words

  private mutating func number() throws(FeedFault) {
    try takeOne { $0 == UInt8(ascii: "-") }
    if try !takeOne({ $0 == UInt8(ascii: "0") }) { try digits() }
    if try takeOne({ $0 == UInt8(ascii: ".") }) { try digits() }
    if try takeOne({ $0 | 0x20 == UInt8(ascii: "e") }) {
      try takeOne { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
      try digits()
    }
  }

  @discardableResult
  private mutating func takeOne(_ isWanted: (UInt8) -> Bool) throws(FeedFault) -> Bool {
    guard let byte = try text.peek(), isWanted(byte) else { return false }
    scratch.append(byte)
    text.skip()
    return true
  }

  private mutating func digits() throws(FeedFault) {
    let count = scratch.count
    try text.take(into: &scratch) { !$0.isDigit }
    guard scratch.count > count else { throw expected("a digit", at: try text.peek()) }
    guard scratch.count <= FeedLimits.field else { throw fault("a number is longer than 1 MiB") }
  }

  /// - Returns: false for `null`.
  private mutating func literal() throws(FeedFault) -> Bool {
    let first = try text.peek()
    let words = ["true", "false", "null"]
    guard let word = words.first(where: { $0.utf8.first == first }) else {
      throw expected("a value", at: first)
    }
    for byte in word.utf8 {
      let next = try text.peek()
      guard next == byte else { throw expected("a value", at: next) }
      scratch.append(byte)
      text.skip()
    }
    return word != "null"
  }
}
