import Text

/// Values as Swift source spells them.
package enum SwiftLiteral {
  /// A string literal that means exactly these characters and shows no invisible ones.
  package static func string(_ text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      // `##[` is a command for CI systems wherever it stands in a log.
      case "#" where literal.utf8.last == UInt8(ascii: "#"): literal += "\\u{23}"
      case "\"": literal += "\\\""
      case "\\": literal += "\\\\"
      case "\n": literal += "\\n"
      case "\r": literal += "\\r"
      case "\t": literal += "\\t"
      case _ where isVisible(scalar): literal.unicodeScalars.append(scalar)
      default: literal += "\\u{" + String(scalar.value, radix: 16) + "}"
      }
    }
    return literal + "\""
  }

  package static func optional(_ text: String?) -> String { text.map(string) ?? "nil" }

  package static func size(width: Double, height: Double) -> String {
    "CGSize(width: \(NumberText.plain(width)), height: \(NumberText.plain(height)))"
  }

  /// An identifier made of any text: its letters and digits, in camel case.
  package static func identifier(_ text: String) -> String {
    let words = text.unicodeScalars.split { !isASCIIWord($0) }.map { String($0) }
    let joined = words.enumerated().map { index, word in
      index == 0
        ? word.prefix(1).lowercased() + word.dropFirst() : word.prefix(1).uppercased() + word.dropFirst()
    }.joined()
    guard let first = joined.unicodeScalars.first else { return "chain" }
    return ("0"..."9").contains(first) || keywords.contains(joined) ? "chain" + joined : joined
  }

  /// One line of a comment: nothing in it ends the line.
  package static func comment(_ text: String) -> String {
    SafeText.withoutCommands(
      String(String.UnicodeScalarView(text.unicodeScalars.map { isVisible($0) ? $0 : " " })))
  }

  private static func isASCIIWord(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
  }

  /// The others would hide what a literal says.
  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool { !SafeText.isDangerous(scalar) }

  private static let keywords: Set<String> = [
    "as", "break", "case", "catch", "class", "continue", "default", "defer", "do", "else", "enum",
    "extension",
    "fallthrough", "false", "for", "func", "guard", "if", "import", "in", "init", "inout", "internal", "is",
    "let", "nil", "operator", "private", "protocol", "public", "repeat", "return", "self", "static", "struct",
    "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
    // What the page itself declares.
    "source", "sources", "warmed", "warmedProcessor",
  ]
}
