import Text

/// Values as Swift source spells them.
package enum SwiftLiteral {
  /// A string literal that means exactly these characters and shows no invisible ones.
  package static func string(_ text: String) -> String {
    literal(text, neverTwice: ["#"]) { "\\u{" + String($0.value, radix: 16) + "}" }
  }

  /// A literal in double quotes, also of another language.
  ///
  /// - Parameters:
  ///   - marks: what never stands twice in a row: `##[` is a command for CI systems wherever it stands in a log.
  ///   - escape: how a character stands there that must not be seen.
  static func literal(
    _ text: String, neverTwice marks: Set<Unicode.Scalar>, _ escape: (Unicode.Scalar) -> String
  ) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case _ where marks.contains(scalar) && literal.unicodeScalars.last == scalar: literal += escape(scalar)
      case "\"", "\\": literal += "\\\(scalar)"
      case "\n": literal += "\\n"
      case "\r": literal += "\\r"
      case "\t": literal += "\\t"
      case _ where isVisible(scalar): literal.unicodeScalars.append(scalar)
      default: literal += escape(scalar)
      }
    }
    return literal + "\""
  }

  package static func optional(_ text: String?) -> String { text.map(string) ?? "nil" }

  /// An identifier made of any text: its letters and digits, in camel case.
  package static func identifier(_ text: String) -> String {
    let words = text.unicodeScalars.split { !$0.isASCII || !$0.properties.isXIDContinue || $0 == "_" }
      .map { String($0) }
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

  /// The others would hide what a literal says.
  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool { !SafeText.isDangerous(scalar) }

  /// The last of them are what the page itself declares.
  private static let keywords = Set(
    """
    as associatedtype break case catch class continue default defer deinit do else enum extension fallthrough false \
    fileprivate for func guard if import in init inout internal is let nil operator precedencegroup private protocol \
    public repeat rethrows return self static struct subscript super switch throw throws true try typealias var where \
    while source sources warmed warmedProcessor
    """.split(separator: " ").map(String.init))
}

/// Values as Objective-C source spells them.
package enum ObjectiveCLiteral {
  /// A string literal that means exactly these characters and shows no invisible ones.
  package static func string(_ text: String) -> String {
    // `??(` was a bracket once.
    "@" + SwiftLiteral.literal(text, neverTwice: ["#", "?"], octal)
  }

  /// Three digits for each byte of UTF-8, so that no digit behind them is taken for one of theirs.
  private static func octal(_ scalar: Unicode.Scalar) -> String {
    String(scalar).utf8.map { byte in
      let digits = String(byte, radix: 8)
      return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
    }.joined()
  }

  /// A function's name made of any text: `WarmedCard`.
  package static func functionName(_ text: String) -> String {
    let name = SwiftLiteral.identifier(text)
    return "Warmed" + name.prefix(1).uppercased() + name.dropFirst()
  }
}

/// How a client's Swift code names types.
package enum SwiftStyle: Sendable {
  /// `CGSize(width: 1, height: 2)`, `UIColor(white: 0, alpha: 1)`.
  case named
  /// `.init(width: 1, height: 2)`: compiles wherever the types have other names.
  case inferred
}

extension ProcessorRow {
  /// What the app's code writes to make the processor.
  package func swift(_ values: ProcessorValues, _ style: SwiftStyle) -> String {
    swift(parameters.swift(values, style))
  }
}

extension [Parameter] {
  /// The parameters that stand in the app's code, with their values.
  package func inCode(_ values: ProcessorValues) -> [(parameter: Parameter, value: ProcessorValue?)] {
    map { ($0, values[$0.label]) }.filter { parameter, value in
      !parameter.isInput && (parameter.isAlwaysInCode || !parameter.isLeftOut(value))
    }
  }

  /// The inputs of a Core Image filter that are given, by their names.
  package func inputs(_ values: ProcessorValues) -> [(name: String, number: String)] {
    filter { $0.isInput && values.has($0.label) }
      .map { ($0.label, NumberText.plain(values.number($0.label))) }
  }

  /// The arguments in Swift.
  fileprivate func swift(_ values: ProcessorValues, _ style: SwiftStyle) -> String {
    let inputs = inputs(values).map { "\"\($0.name)\": \($0.number)" }
    let dictionary = "[\(inputs.isEmpty ? ":" : inputs.joined(separator: ", "))]"
    return inCode(values).map { parameter, value in
      let text =
        value.map { parameter.swift(SwiftLiteral.value($0, parameter.type, style), dictionary) } ?? "nil"
      return "\(parameter.codeLabel): \(text)"
    }.joined(separator: ", ")
  }
}

extension SwiftLiteral {
  /// A processor's value.
  package static func value(
    _ value: ProcessorValue, _ type: ParameterType, _ style: SwiftStyle
  ) -> String {
    func call(_ name: String, _ labels: [String], _ numbers: [Double]) -> String {
      let arguments = zip(labels, numbers).map { "\($0): \(NumberText.plain($1))" }
      return (style == .named ? name : ".init") + "(\(arguments.joined(separator: ", ")))"
    }
    switch value {
    case .number(let number): return NumberText.plain(number)
    case .whole(let number): return "\(number)"
    case .flag(let flag): return "\(flag)"
    case .word(let word): return ".\(word)"
    case .text(let text): return string(text)
    case .numbers(let numbers):
      switch type {
      case .point: return call("CGPoint", ["x", "y"], numbers)
      case .rectangle: return call("CGRect", ["x", "y", "width", "height"], numbers)
      default: return call("CGSize", ["width", "height"], numbers)
      }
    case .color(.rgba(let red, let green, let blue, let alpha)):
      return call("UIColor", ["red", "green", "blue", "alpha"], [red, green, blue, alpha])
    case .color(.gray(let white, let alpha)): return call("UIColor", ["white", "alpha"], [white, alpha])
    case .corners(let bits):
      if case .corners(all: bits, let name) = type { return name }
      return "[\(ParameterType.names(ofCorners: bits).map { ".\($0)" }.joined(separator: ", "))]"
    case .measure(let word, let number): return ".\(word)(\(NumberText.plain(number)))"
    case .group(let values):
      guard case .group(let parameters, _, _) = type else { return "" }
      return ".init(\(parameters.swift(values, style)))"
    }
  }
}
