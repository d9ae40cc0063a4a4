import NukeCache
import Text

/// A width and a height, unit not yet known.
package struct PlainSize {
  package var width: Double
  package var height: Double
}

extension ArgumentType where Value == Double {
  package static var number: Self { Self("a number", example: "44", word: DecimalText.double) }
}

extension ArgumentType where Value == Int {
  package static var whole: Self { Self("a whole number", example: "8", word: DecimalText.whole) }
}

extension ArgumentType where Value == Bool {
  package static var bool: Self { Self("true or false", example: "true") { Bool($0) } }
}

extension ArgumentType where Value == PlainSize {
  package static var size: Self {
    Self("a size like 44x44", example: "44x44") { text in
      let sides = text.split(separator: "x", maxSplits: 1, omittingEmptySubsequences: false)
      guard sides.count == 2, let width = DecimalText.double(String(sides[0])),
        let height = DecimalText.double(String(sides[1]))
      else { return nil }
      return PlainSize(width: width, height: height)
    }
  }
}

extension ArgumentType where Value == String {
  package static var quoted: Self {
    Self(example: #""identifier""#) { argument in
      if case .quoted(let text) = argument.value { return .success(text) }
      return .failure(.init(mistakes: [wrong(argument, "text in double quotes")]))
    }
  }

  /// A bare word or text in quotes.
  package static func text(example: String) -> Self {
    Self(example: example) { argument in
      switch argument.value {
      case .quoted(let text), .word(let text): .success(text)
      default: .failure(.init(mistakes: [wrong(argument, "a name")]))
      }
    }
  }
}

extension ArgumentType where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
  /// One of the words of an enumeration.
  static var oneOf: Self {
    let words = Value.allCases.map(\.rawValue)
    return Self(example: words.first ?? "") { argument in
      if case .word(let text) = argument.value {
        if let value = Value(rawValue: text) { return .success(value) }
        let nearest = WordDistance.nearest(text, in: words)
        return .failure(
          .init(mistakes: [wrong(argument, words.joined(separator: " or "), nearest: nearest)]))
      }
      return .failure(.init(mistakes: [wrong(argument, words.joined(separator: " or "))]))
    }
  }
}

extension ArgumentType where Value == ImageProcessor.Border {
  package static var border: Self {
    Self(example: "(color: #FF0000, width: 2)") { argument in
      guard case .group(let members) = argument.value else {
        return .failure(.init(mistakes: [wrong(argument, "a group like (color: #FF0000, width: 2)")]))
      }
      var reader = ArgumentReader(
        members, of: "border", at: argument.valueOffset, labels: ["color", "width", "unit"])
      let color = reader.required("color", ArgumentType<ImageProcessor.Color>.color)
      let width = reader.optional("width", ArgumentType<Double>.number, default: 1)
      let unit = reader.optional("unit", ArgumentType<ImageProcessor.Unit>.oneOf, default: .points)
      guard let color, reader.mistakes.isEmpty else { return .failure(.init(mistakes: reader.mistakes)) }
      return .success(ImageProcessor.Border(color: color, width: width, unit: unit))
    }
  }
}

extension ArgumentType where Value == ImageProcessor.Color {
  private static var expected: String { "a colour: #RRGGBB, #RRGGBBAA, rgba(R, G, B, A) or gray(W, A)" }

  package static var color: Self {
    Self(example: "#FF0000") { argument in
      switch argument.value {
      case .word(let text):
        if let color = hex(text) { return .success(color) }
      case .call("rgba", let parts): return components(parts, count: 4, of: argument)
      case .call("gray", let parts): return components(parts, count: 2, of: argument)
      default: break
      }
      return .failure(.init(mistakes: [wrong(argument, expected)]))
    }
  }

  private static func hex(_ text: String) -> ImageProcessor.Color? {
    let digits = text.utf8.dropFirst()
    guard text.hasPrefix("#"), digits.count == 6 || digits.count == 8,
      digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let value = UInt32(text.dropFirst(), radix: 16)
    else { return nil }
    let rgba = digits.count == 8 ? value : value << 8 | 0xFF
    func part(_ shift: UInt32) -> Double { Double(rgba >> shift & 0xFF) / 255 }
    return .rgba(red: part(24), green: part(16), blue: part(8), alpha: part(0))
  }

  private static func components(
    _ parts: [ChainSyntax.Argument], count: Int, of argument: ChainSyntax.Argument
  ) -> Result<ImageProcessor.Color, Failure> {
    var values: [Double] = []
    for part in parts {
      guard part.label == nil, case .word(let text) = part.value, let value = DecimalText.double(text) else {
        return .failure(.init(mistakes: [Mistake(part.offset, "a colour's component is a number")]))
      }
      values.append(value)
    }
    guard values.count == count else {
      let name = count == 4 ? "rgba(R, G, B, A)" : "gray(W, A)"
      return .failure(
        .init(mistakes: [
          Mistake(argument.valueOffset, "\(name) has \(count) components, not \(values.count)")
        ])
      )
    }
    return .success(
      count == 4
        ? .rgba(red: values[0], green: values[1], blue: values[2], alpha: values[3])
        : .rgba(red: values[0], green: values[0], blue: values[0], alpha: values[1]))
  }
}
