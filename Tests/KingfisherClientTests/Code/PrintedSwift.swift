/// Reads the Swift that generated code consists of: calls, members, literals, lists, `|>`. Anything else is an error.
indirect enum PrintedSwift: Equatable {
  case name(String)
  /// `.member`, or `base.member`.
  case member(PrintedSwift?, String)
  case call(PrintedSwift, [Argument])
  case number(Double)
  case text(String)
  case list([PrintedSwift])
  /// `a |> b`
  case joined(PrintedSwift, PrintedSwift)
  case closure(PrintedSwift)

  struct Argument: Equatable {
    var label: String?
    var value: PrintedSwift
  }

  struct Unreadable: Error {
    var text: String
  }

  init(_ text: String) throws {
    var reader = Reader(rest: text[...])
    self = try reader.expression()
    reader.skipBlank()
    guard reader.rest.isEmpty else { throw Unreadable(text: String(reader.rest)) }
  }
}

extension PrintedSwift {
  fileprivate struct Reader {
    var rest: Substring

    mutating func skipBlank() { rest = rest.drop(while: \.isWhitespace) }

    mutating func take(_ text: String) -> Bool {
      skipBlank()
      guard rest.hasPrefix(text) else { return false }
      rest.removeFirst(text.count)
      return true
    }

    mutating func expect(_ text: String) throws {
      guard take(text) else { throw Unreadable(text: "\(text) expected before \(rest)") }
    }

    mutating func expression() throws -> PrintedSwift {
      var value = try operand()
      while take("|>") { value = .joined(value, try operand()) }
      return value
    }

    private mutating func operand() throws -> PrintedSwift {
      var value = try primary()
      while true {
        if rest.first == "(" {
          value = .call(value, try arguments())
        } else if take("{") {
          value = .call(value, [Argument(label: nil, value: .closure(try expression()))])
          try expect("}")
        } else if take("?.") || take(".") {
          value = .member(value, try word())
        } else {
          return value
        }
      }
    }

    private mutating func primary() throws -> PrintedSwift {
      skipBlank()
      switch rest.first {
      case ".":
        rest.removeFirst()
        return .member(nil, try word())
      case "[":
        rest.removeFirst()
        var members: [PrintedSwift] = []
        while !take("]") {
          members.append(try expression())
          _ = take(",")
        }
        return .list(members)
      case "\"": return .text(try literal())
      case let first? where first.isNumber || first == "-":
        let digits = rest.prefix { $0.isNumber || "+-.e".contains($0) }
        rest.removeFirst(digits.count)
        guard let number = Double(digits) else { throw Unreadable(text: String(digits)) }
        return .number(number)
      default: return .name(try word())
      }
    }

    private mutating func word() throws -> String {
      let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" }
      guard !word.isEmpty else { throw Unreadable(text: "a name expected before \(rest)") }
      rest.removeFirst(word.count)
      return String(word)
    }

    private mutating func arguments() throws -> [Argument] {
      try expect("(")
      var arguments: [Argument] = []
      while !take(")") {
        skipBlank()
        let label = rest.prefix { $0.isLetter }
        if !label.isEmpty, rest.dropFirst(label.count).hasPrefix(": ") {
          rest.removeFirst(label.count + 2)
          arguments.append(Argument(label: String(label), value: try expression()))
        } else {
          arguments.append(Argument(label: nil, value: try expression()))
        }
        _ = take(",")
      }
      return arguments
    }

    /// With the escapes of Swift.
    private mutating func literal() throws -> String {
      try expect("\"")
      var text = ""
      while let character = rest.popFirst(), character != "\"" {
        guard character == "\\" else {
          text.append(character)
          continue
        }
        switch rest.popFirst() {
        case "n": text += "\n"
        case "r": text += "\r"
        case "t": text += "\t"
        case "u":
          let digits = rest.dropFirst().prefix { $0 != "}" }
          rest.removeFirst(digits.count + 2)
          guard let scalar = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init) else {
            throw Unreadable(text: String(digits))
          }
          text.unicodeScalars.append(scalar)
        case let escaped?: text.append(escaped)
        case nil: break
        }
      }
      return text
    }
  }
}
