import Syntax
import Text

/// A parameter of a processor: its label in a job, the type of its values, and what holds where it is left out.
package struct Parameter: Sendable {
  package let label: String
  package let type: ParameterType
  package let isNeeded: Bool
  /// The value where it is left out; nil where that is not a value.
  package let fallback: ProcessorValue?
  /// Its label in the app's code.
  package private(set) var codeLabel: String
  /// The app's code has no default for it.
  private(set) var isAlwaysInCode: Bool
  /// The value in Swift, made of its usual text and of a dictionary of the inputs.
  private(set) var swift: @Sendable (String, String) -> String = { text, _ in text }
  /// A number that a Core Image filter takes by this name: it is in no key, and in code it stands in a dictionary.
  package private(set) var isInput = false

  package static func needed(_ label: String, _ type: ParameterType) -> Parameter {
    Parameter(
      label: label, type: type, isNeeded: true, fallback: nil, codeLabel: label, isAlwaysInCode: true)
  }

  package static func optional(
    _ label: String, _ type: ParameterType, _ fallback: ProcessorValue? = nil
  ) -> Parameter {
    Parameter(
      label: label, type: type, isNeeded: false, fallback: fallback, codeLabel: label, isAlwaysInCode: false)
  }

  package static func input(_ label: String) -> Parameter {
    var parameter = optional(label, .number)
    parameter.isInput = true
    return parameter
  }

  /// The same where the app's code spells it otherwise.
  ///
  /// - Parameters:
  ///   - label: its label in code.
  ///   - always: it is written there even if it is left out here.
  ///   - swift: the value in Swift, made of its usual text and of a dictionary of the inputs.
  package func inCode(
    _ label: String? = nil, always: Bool? = nil,
    swift: @escaping @Sendable (String, String) -> String = { text, _ in text }
  ) -> Parameter {
    var copy = self
    copy.swift = swift
    copy.codeLabel = label ?? codeLabel
    copy.isAlwaysInCode = always ?? isAlwaysInCode
    return copy
  }

  /// `size: WxH`, `[crop: true|false = false]`.
  package var usage: String {
    let text = "\(label): \(type.placeholder)"
    return isNeeded ? text : "[\(text)\(fallback.map { " = \(type.text($0))" } ?? "")]"
  }

  /// Whether it need not be written.
  package func isLeftOut(_ value: ProcessorValue?) -> Bool {
    guard let value else { return true }
    // By their text: -0 is another number than 0 in a key.
    return fallback.map { type.text($0) == type.text(value) } ?? false
  }
}

/// The type of a parameter's values: how a job reads and writes them, and what help calls them.
package enum ParameterType: Sendable {
  case number, whole, flag, size, point, rectangle
  /// One of an enumeration's words.
  case choice([String])
  /// A case by its word or by its raw value, which is its place.
  ///
  /// - Parameter expected: what messages call it.
  case numbered([String], placeholder: String, expected: String, example: String)
  /// `keepsGray`: greys are another colour than their components.
  case color(keepsGray: Bool)
  /// Corners of a rectangle, with the library's bits and its name for all of them.
  case corners(all: UInt, name: String)
  /// A bare word or text in quotes.
  case text(placeholder: String, example: String)
  case quoted
  /// A number under one of these words; the first is that of a bare number.
  case measure([String])
  /// Values in parentheses, as the initialiser of this type takes them.
  case group([Parameter], type: String, example: String)

  /// `CGBlendMode`.
  package static func blendMode(_ names: [String], example: String) -> ParameterType {
    .numbered(
      names, placeholder: "MODE", expected: "a blend mode's name or a number from 0 to \(names.count - 1)",
      example: example)
  }

  package static let filterName = ParameterType.text(placeholder: "CIName", example: "CISepiaTone")

  /// What stands for a value in help.
  package var placeholder: String {
    switch self {
    case .number, .whole: "N"
    case .flag: "true|false"
    case .size: "WxH"
    case .point: "(X, Y)"
    case .rectangle: "(X, Y, W, H)"
    case .choice(let words): words.joined(separator: "|")
    case .numbered(_, let placeholder, _, _), .text(let placeholder, _): placeholder
    case .color: "COLOR"
    case .corners: "CORNERS"
    case .quoted: "\"TEXT\""
    case .measure: "RADIUS"
    case .group(let parameters, _, _): "(\(parameters.map(\.usage).joined(separator: ", ")))"
    }
  }

  /// The names of the corners whose bits are set; bits beyond the four have none.
  package static func names(ofCorners bits: UInt) -> [String] {
    cornerNames.filter { bits & $0.bit != 0 }.map(\.name)
  }

  private static let cornerNames: [(name: String, bit: UInt)] = [
    ("topLeft", 1), ("topRight", 2), ("bottomLeft", 4), ("bottomRight", 8),
  ]

  /// How an argument of a job is read.
  package var argument: ArgumentType<ProcessorValue> {
    switch self {
    case .number: ArgumentType<Double>.number.map { .number($0) }
    case .whole: ArgumentType<Int>.whole.map { .whole($0) }
    case .flag: ArgumentType<Bool>.bool.map { .flag($0) }
    case .size: ArgumentType<[Double]>.sides.map { .numbers($0) }
    case .point:
      ArgumentType<[Double]>.tuple(
        ["x", "y"], expected: "a point like (0.5, 0.5)", example: "(0.5, 0.5)"
      ).map { .numbers($0) }
    case .rectangle:
      ArgumentType<[Double]>.tuple(
        ["x", "y", "width", "height"], call: "CGRect", expected: "a rectangle like (0, 0, 100, 50)",
        example: "(0, 0, 100, 50)"
      ).map { .numbers($0) }
    case .choice(let words):
      ArgumentType<String>.word(of: words, expected: words.joined(separator: " or "), example: words[0]).map {
        .word($0)
      }
    case .numbered(let words, _, let expected, let example):
      ArgumentType<String>.word(of: words, hasNumbers: true, expected: expected, example: example).map {
        .word($0)
      }
    case .color(let keepsGray):
      ArgumentType<ColorValue>.color.map { .color(keepsGray ? $0 : ColorValue($0.components)) }
    case .corners(let all, _):
      ArgumentType<UInt>.joined(
        Self.cornerNames.map { ($0.name, $0.bit) } + [("all", all), ("none", 0)], example: "topLeft+topRight"
      ).map { .corners($0) }
    case .text(_, let example): ArgumentType<String>.text(example: example).map { .text($0) }
    case .quoted: ArgumentType<String>.quoted.map { .text($0) }
    case .measure(let words): ArgumentType<(String, Double)>.measure(words).map { .measure($0.0, $0.1) }
    case .group(let parameters, let type, let example):
      ArgumentType<ProcessorValue>.group(parameters, type: type, example: example)
    }
  }

  /// The value as a job writes it; ``argument`` reads it back.
  package func text(_ value: ProcessorValue) -> String {
    switch value {
    case .number(let number): return NumberText.plain(number)
    case .whole(let number): return "\(number)"
    case .flag(let flag): return "\(flag)"
    case .word(let word): return word
    case .text(let text):
      if case .text = self, Self.isWord(text) { return text }
      return QuotedText.quoted(text)
    case .numbers(let numbers):
      let texts = numbers.map(NumberText.plain)
      if case .size = self { return texts.joined(separator: "x") }
      return "(\(texts.joined(separator: ", ")))"
    case .color(let color): return color.text
    case .corners(let bits):
      if case .corners(all: bits, name: _) = self { return "all" }
      let names = Self.names(ofCorners: bits)
      return names.isEmpty ? "none" : names.joined(separator: "+")
    case .measure(let word, let number): return "\(word)(\(NumberText.plain(number)))"
    case .group(let values):
      guard case .group(let parameters, _, _) = self else { return "" }
      return "(\(parameters.texts(values).joined(separator: ", ")))"
    }
  }

  private static func isWord(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy(\.isLetterOrDigit)
  }
}

extension [Parameter] {
  /// The arguments as a job writes them, without those that need not be written.
  package func texts(_ values: ProcessorValues) -> [String] {
    compactMap { parameter in
      guard let value = values[parameter.label], parameter.isNeeded || !parameter.isLeftOut(value) else {
        return nil
      }
      return "\(parameter.label): \(parameter.type.text(value))"
    }
  }

  /// Takes the values out of a job's arguments; those that are left out are filled in.
  func read(_ reader: inout ArgumentReader) -> ProcessorValues {
    var values: ProcessorValues = [:]
    for parameter in self {
      let type = parameter.type.argument
      values[parameter.label] =
        parameter.isNeeded
        ? reader.required(parameter.label, type)
        : reader.optional(parameter.label, type) ?? parameter.fallback
    }
    return values
  }
}

extension ArgumentType where Value == ProcessorValue {
  fileprivate static func group(_ parameters: [Parameter], type: String, example: String) -> Self {
    Self(example: example) { argument throws(Mistake) in
      let members: [ChainSyntax.Argument]
      switch argument.value {
      case .group(let group): members = group
      case .call(let name, let group) where name == ".init" || name == type: members = group
      default: throw .wrong(argument, "a group like \(example)")
      }
      var reader = ArgumentReader(
        members, of: argument.label ?? type, at: argument.valueOffset, labels: parameters.map(\.label))
      let values = parameters.read(&reader)
      if let mistake = reader.mistakes.first { throw mistake }
      return .group(values)
    }
  }
}

extension ColorValue {
  /// By digits where they say exactly this, else by numbers.
  fileprivate var text: String {
    if case .gray(let white, let alpha) = self {
      return "gray(\(NumberText.plain(white)), \(NumberText.plain(alpha)))"
    }
    let bytes = components.compactMap { component in
      Int(exactly: (component * 255).rounded()).flatMap {
        (0...255).contains($0) && Double($0) / 255 == component ? $0 : nil
      }
    }
    guard bytes.count == 4 else {
      return "rgba(\(components.map(NumberText.plain).joined(separator: ", ")))"
    }
    let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
    return "#" + digits.prefix(bytes[3] == 255 ? 3 : 4).joined()
  }
}
