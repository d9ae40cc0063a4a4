import Text

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
      parameter.isAlwaysInCode || !parameter.isLeftOut(value)
    }
  }

  /// The arguments in Swift.
  fileprivate func swift(_ values: ProcessorValues, _ style: SwiftStyle) -> String {
    inCode(values).map { parameter, value in
      let text = value.map { parameter.swift(SwiftLiteral.value($0, parameter.type, style)) } ?? "nil"
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
    case .color(.described(let text)): return ".clear /* \(comment(text)) */"
    case .corners(let bits):
      if case .corners(all: bits, let name) = type { return name }
      return "[\(ParameterType.names(ofCorners: bits).map { ".\($0)" }.joined(separator: ", "))]"
    case .measure(let word, let number): return ".\(word)(\(NumberText.plain(number)))"
    case .group(let values):
      guard case .group(let parameters, _, _) = type else { return "" }
      return ".init(\(parameters.swift(values, style)))"
    case .calls: return ""
    }
  }
}
