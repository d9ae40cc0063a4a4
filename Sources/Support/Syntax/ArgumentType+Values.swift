import Text

/// A width and a height, unit not yet known.
package struct PlainSize: Hashable, Sendable {
  package var width: Double
  package var height: Double

  package init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }
}

extension ArgumentType where Value == Double {
  package static var number: Self { Self("a number", example: "44", word: DecimalText.double) }
}

extension ArgumentType where Value == Int {
  package static var whole: Self { Self("a whole number", example: "8", word: DecimalText.whole) }

  package static func whole(_ range: ClosedRange<Int>) -> Self {
    Self("a whole number from \(range.lowerBound) to \(range.upperBound)", example: "\(range.upperBound)") {
      DecimalText.whole($0).flatMap { range.contains($0) ? $0 : nil }
    }
  }

  package static var byteCount: Self {
    Self("a number of bytes like 40K", example: "40K") { text in
      ByteCountText.value(text).flatMap { $0 > 0 ? $0 : nil }
    }
  }
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
  package static var oneOf: Self {
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

/// A colour as a job spells it. Components may lie outside 0 to 1 (wide gamut).
package enum SpelledColor: Hashable, Sendable {
  case rgba(red: Double, green: Double, blue: Double, alpha: Double)
  case gray(white: Double, alpha: Double)
}

extension ArgumentType where Value == SpelledColor {
  package static var expectedColor: String {
    "a colour: #RRGGBB, #RRGGBBAA, rgba(R, G, B, A) or gray(W, A)"
  }

  package static var color: Self {
    Self(example: "#FF0000") { argument in
      switch argument.value {
      case .word(let text):
        if let color = hex(text) { return .success(color) }
      case .call("rgba", let parts):
        return components(parts, count: 4, of: argument).map {
          .rgba(red: $0[0], green: $0[1], blue: $0[2], alpha: $0[3])
        }
      case .call("gray", let parts):
        return components(parts, count: 2, of: argument).map { .gray(white: $0[0], alpha: $0[1]) }
      default: break
      }
      return .failure(.init(mistakes: [wrong(argument, expectedColor)]))
    }
  }

  private static func hex(_ text: String) -> SpelledColor? {
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
  ) -> Result<[Double], Failure> {
    var values: [Double] = []
    for part in parts {
      guard part.label == nil, case .word(let text) = part.value, let value = DecimalText.double(text) else {
        return .failure(.init(mistakes: [Mistake(part.offset, "a colour's component is a number")]))
      }
      values.append(value)
    }
    if values.count == count { return .success(values) }
    let name = count == 4 ? "rgba(R, G, B, A)" : "gray(W, A)"
    return .failure(
      .init(mistakes: [
        Mistake(argument.valueOffset, "\(name) has \(count) components, not \(values.count)")
      ]))
  }
}
