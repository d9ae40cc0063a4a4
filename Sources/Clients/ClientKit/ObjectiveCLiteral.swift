import Text

/// Values as Objective-C source spells them.
package enum ObjectiveCLiteral {
  /// A string literal that means exactly these characters and shows no invisible ones.
  package static func string(_ text: String) -> String {
    var literal = "@\""
    for scalar in text.unicodeScalars {
      switch scalar {
      // `##[` is a command for CI systems wherever it stands in a log, and `??(` was a bracket once.
      case "#" where literal.utf8.last == UInt8(ascii: "#"): literal += octal(scalar)
      case "?" where literal.utf8.last == UInt8(ascii: "?"): literal += octal(scalar)
      case "\"": literal += "\\\""
      case "\\": literal += "\\\\"
      case "\n": literal += "\\n"
      case "\r": literal += "\\r"
      case "\t": literal += "\\t"
      case _ where SafeText.isDangerous(scalar): literal += octal(scalar)
      default: literal.unicodeScalars.append(scalar)
      }
    }
    return literal + "\""
  }

  /// Three digits for each byte of UTF-8, so that no digit behind them is taken for one of theirs.
  private static func octal(_ scalar: Unicode.Scalar) -> String {
    String(scalar).utf8.map { byte in
      let digits = String(byte, radix: 8)
      return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
    }.joined()
  }

  package static func bool(_ value: Bool) -> String { value ? "YES" : "NO" }

  package static func size(width: Double, height: Double) -> String {
    "CGSizeMake(\(NumberText.plain(width)), \(NumberText.plain(height)))"
  }

  package static func color(red: Double, green: Double, blue: Double, alpha: Double) -> String {
    "[UIColor colorWithRed:\(NumberText.plain(red)) green:\(NumberText.plain(green)) "
      + "blue:\(NumberText.plain(blue)) alpha:\(NumberText.plain(alpha))]"
  }

  /// A function's name made of any text: `WarmedCard`.
  package static func functionName(_ text: String) -> String {
    let name = SwiftLiteral.identifier(text)
    return "Warmed" + name.prefix(1).uppercased() + name.dropFirst()
  }
}
