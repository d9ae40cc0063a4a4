/// Steps over the bytes of one line.
package struct LineScanner {
  package let bytes: ArraySlice<UInt8>
  package private(set) var position: Int

  package init(_ bytes: ArraySlice<UInt8>, at position: Int? = nil) {
    self.bytes = bytes
    self.position = position ?? bytes.startIndex
  }

  package var atEnd: Bool { position >= bytes.endIndex }
  package var next: UInt8? { atEnd ? nil : bytes[position] }

  package static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }

  /// What names of chains, processors, arguments and options are made of.
  package static func isName(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit || byte >= 0x80 || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: ".")
  }

  package mutating func skipSpaces() {
    while let byte = next, Self.isSpace(byte) { position += 1 }
  }

  /// Skips white space, and the comment that may follow it: for places outside parentheses.
  package mutating func skipBlank() {
    skipSpaces()
    guard next == UInt8(ascii: "#") else { return }
    if position == bytes.startIndex || Self.isSpace(bytes[position - 1]) { position = bytes.endIndex }
  }

  package mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  package mutating func take(while condition: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let start = position
    while let byte = next, condition(byte) { position += 1 }
    return bytes[start..<position]
  }

  package mutating func name() -> ArraySlice<UInt8> { take(while: Self.isName) }

  /// The next word, which stays where it is.
  package var peekedWord: String {
    var copy = self
    copy.skipSpaces()
    return String(decoding: copy.word(), as: UTF8.self)
  }

  /// Everything up to white space.
  package mutating func word() -> ArraySlice<UInt8> { take { !Self.isSpace($0) } }

  /// Text in double quotes, in which `\"` and `\\` stand for `"` and `\`.
  package mutating func quoted() throws(Mistake) -> String {
    let start = position
    guard take("\"") else { throw Mistake(start, "text in double quotes is missing here") }
    var text: [UInt8] = []
    while let byte = next {
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let escaped = next, escaped == UInt8(ascii: "\"") || escaped == UInt8(ascii: "\\") else {
          throw Mistake(
            position - 1, "a backslash stands before a quote or a backslash only", help: #"write \\ for one"#)
        }
        text.append(escaped)
        position += 1
      default: text.append(byte)
      }
    }
    throw Mistake(start, "this quote is not closed", help: #"end the text with ""#)
  }

  /// A word, or text in quotes where it holds white space.
  package mutating func wordOrQuoted() throws(Mistake) -> String {
    guard next == UInt8(ascii: "\"") else { return String(decoding: word(), as: UTF8.self) }
    let text = try quoted()
    try expectBreak()
    return text
  }

  /// A token ends here: white space or the end of the line.
  package func expectBreak() throws(Mistake) {
    guard let byte = next, !Self.isSpace(byte) else { return }
    if byte == UInt8(ascii: ")") {
      throw Mistake(position, "this ')' closes nothing", help: "take it out, or open it with '('")
    }
    throw unexpected(help: "put white space before it")
  }

  private func unexpected(help: String) -> Mistake {
    let rest = bytes[position...].prefix { !Self.isSpace($0) }
    return Mistake(position, "unexpected \(Mistake.quote(rest))", help: help)
  }

  package mutating func expectEnd(help: String? = nil) throws(Mistake) {
    skipBlank()
    if !atEnd { throw unexpected(help: help ?? "nothing more belongs here") }
  }

  package mutating func move(to index: Int) { position = index }
}

/// Text in double quotes as lines of a job have it; ``LineScanner/quoted()`` reads it back.
package enum QuotedText {
  package static func quoted(_ text: String) -> String { "\"" + text.map(escaped).joined() + "\"" }

  /// A character as it stands between quotes.
  package static func escaped(_ character: Character) -> String {
    character == "\"" || character == "\\" ? "\\\(character)" : String(character)
  }

  /// Whether a line can hold it: quotes go over no line end.
  package static func holds(_ text: String) -> Bool { !text.utf8.contains { $0 == 10 || $0 == 13 } }
}
