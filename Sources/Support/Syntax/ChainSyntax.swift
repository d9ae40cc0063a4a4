/// A chain as written, before its words are understood.
package struct ChainSyntax: Sendable {
  package var members: [Member]
  /// Where it stands in its line.
  package var range: Range<Int>

  /// `resize(width: 320)`, `circle`, a chain's name; maybe with `as "identifier"`.
  package struct Member: Sendable {
    package var name: String
    package var offset: Int
    /// Nil without parentheses.
    package var arguments: [Argument]?
    package var identifier: (text: String, offset: Int)?
  }

  package struct Argument: Sendable {
    /// Nil in `custom("id")`.
    package var label: String?
    package var offset: Int
    package var value: Value
    package var valueOffset: Int
  }

  package enum Value: Sendable {
    case word(String)
    case quoted(String)
    case group([Argument])
    case call(String, [Argument])
  }
}

extension LineScanner {
  /// Groups inside groups; deeper text is a mistake or an attack.
  private static let deepest = 8

  /// A chain: members joined by `|`.
  package mutating func chain() throws(Mistake) -> ChainSyntax {
    let start = position
    var members = [try member()]
    while true {
      let end = position
      skipBlank()
      guard take("|") else {
        move(to: end)
        return ChainSyntax(members: members, range: start..<end)
      }
      let bar = position - 1
      skipBlank()
      if atEnd { throw Mistake(bar, "nothing follows this '|'", help: "name a processor, or take it out") }
      members.append(try member())
    }
  }

  private mutating func member() throws(Mistake) -> ChainSyntax.Member {
    let start = position
    // `.circle()`, as in the app's code.
    _ = take(".")
    let name = name()
    if name.isEmpty {
      let what = Mistake.quote(bytes[start...].prefix { !Self.isSpace($0) })
      throw Mistake(start, "a chain or a processor is expected, not \(what)")
    }
    var member = ChainSyntax.Member(name: String(decoding: name, as: UTF8.self), offset: start)
    if next == UInt8(ascii: "(") { member.arguments = try arguments(depth: 1) }
    member.identifier = try identifier()
    return member
  }

  /// `as "identifier"`, if that comes next.
  private mutating func identifier() throws(Mistake) -> (text: String, offset: Int)? {
    let start = position
    skipBlank()
    guard position > start, name().elementsEqual("as".utf8) else {
      move(to: start)
      return nil
    }
    let word = position - 2
    skipBlank()
    guard next == UInt8(ascii: "\"") else {
      throw Mistake(word, "'as' needs an identifier", help: #"as "com.example.processor""#)
    }
    let offset = position
    return (try quoted(), offset)
  }

  /// `(label: value, ...)`, from the opening parenthesis on.
  package mutating func arguments(depth: Int) throws(Mistake) -> [ChainSyntax.Argument] {
    let open = position
    _ = take("(")
    if depth > Self.deepest { throw Mistake(open, "parentheses are nested too deeply here") }
    var arguments: [ChainSyntax.Argument] = []
    skipSpaces()
    if take(")") { return arguments }
    while true {
      arguments.append(try argument(depth: depth, open: open))
      skipSpaces()
      if take(")") { return arguments }
      if atEnd { throw unclosed(open) }
      guard take(",") else {
        throw Mistake(position, "a ',' or ')' is expected here", help: "arguments are separated by commas")
      }
      skipSpaces()
    }
  }

  private mutating func argument(depth: Int, open: Int) throws(Mistake) -> ChainSyntax.Argument {
    let start = position
    if atEnd { throw unclosed(open) }
    let value = try value(depth: depth)
    if case .word(let label) = value {
      skipSpaces()
      if take(":") {
        skipSpaces()
        if atEnd { throw unclosed(open) }
        let offset = position
        return ChainSyntax.Argument(
          label: label, offset: start, value: try self.value(depth: depth), valueOffset: offset)
      }
    }
    return ChainSyntax.Argument(label: nil, offset: start, value: value, valueOffset: start)
  }

  private mutating func value(depth: Int) throws(Mistake) -> ChainSyntax.Value {
    let start = position
    if next == UInt8(ascii: "\"") { return .quoted(try quoted()) }
    if let sum = arithmetic() { return .word(sum) }
    if next == UInt8(ascii: "(") { return .group(try arguments(depth: depth + 1)) }
    let word = take { !Self.isSpace($0) && !",():|\"".utf8.contains($0) }
    if word.isEmpty { throw Mistake(start, "a value is missing here") }
    let text = String(decoding: word, as: UTF8.self)
    if next == UInt8(ascii: "(") { return .call(text, try arguments(depth: depth + 1)) }
    return .word(text)
  }

  private func unclosed(_ open: Int) -> Mistake {
    Mistake(open, "this '(' is not closed", help: "end the arguments with ')'")
  }
}
