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

extension ArgumentType {
  /// The numbers of a call whose arguments have these names, in this order.
  static func numbers(_ parts: [ChainSyntax.Argument], labels: [String]) -> [Double]? {
    guard parts.map(\.label) == labels else { return nil }
    let values = parts.compactMap { part -> Double? in
      if case .word(let text) = part.value { DecimalText.double(text) } else { nil }
    }
    return values.count == labels.count ? values : nil
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
    Self(example: "44x44") { argument in
      switch argument.value {
      case .word(let text):
        let sides = text.split(separator: "x", maxSplits: 1, omittingEmptySubsequences: false)
        if sides.count == 2, let width = DecimalText.double(String(sides[0])),
          let height = DecimalText.double(String(sides[1]))
        {
          return .success(PlainSize(width: width, height: height))
        }
      // As the app's code has it.
      case .call("CGSize", let parts), .call(".init", let parts):
        if let sides = numbers(parts, labels: ["width", "height"]) {
          return .success(PlainSize(width: sides[0], height: sides[1]))
        }
      default: break
      }
      return .failure(.init(mistakes: [wrong(argument, "a size like 44x44")]))
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
  /// One of the words of an enumeration, also with the dot that Swift has before it.
  package static var oneOf: Self {
    let words = Value.allCases.map(\.rawValue)
    return Self(example: words.first ?? "") { argument in
      if case .word(let text) = argument.value {
        let word = text.withoutDot
        if let value = Value(rawValue: word) { return .success(value) }
        let nearest = WordDistance.nearest(word, in: words)
        return .failure(
          .init(mistakes: [wrong(argument, words.joined(separator: " or "), nearest: nearest)]))
      }
      return .failure(.init(mistakes: [wrong(argument, words.joined(separator: " or "))]))
    }
  }
}

extension String {
  /// `aspectFit` for `.aspectFit`.
  package var withoutDot: String { hasPrefix(".") ? String(dropFirst()) : self }
}
