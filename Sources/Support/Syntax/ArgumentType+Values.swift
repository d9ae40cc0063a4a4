import Text

extension ChainSyntax.Argument {
  /// The bare word that it is; nil for anything else.
  var word: String? { if case .word(let text) = value { text } else { nil } }

  var number: Double? { word.flatMap(Arithmetic.value) }
}

extension [ChainSyntax.Argument] {
  /// The numbers of a call whose arguments have these names, in this order; nil is an argument without a name.
  func numbers(_ labels: [String?]) -> [Double]? {
    let values = compactMap(\.number)
    return map(\.label) == labels && values.count == labels.count ? values : nil
  }
}

extension String {
  /// `aspectFit` for `.aspectFit`.
  var withoutDot: String { hasPrefix(".") ? String(dropFirst()) : self }
}

extension ArgumentType where Value == Double {
  package static var number: Self { Self("a number", example: "44", word: Arithmetic.value) }
}

extension ArgumentType where Value == Int {
  package static var whole: Self { Self("a whole number", example: "8", word: { Int($0) }) }

  package static func whole(_ range: ClosedRange<Int>) -> Self {
    Self("a whole number from \(range.lowerBound) to \(range.upperBound)", example: "\(range.upperBound)") {
      Int($0).flatMap { range.contains($0) ? $0 : nil }
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

extension ArgumentType where Value == [Double] {
  /// A width and a height, unit not yet known.
  package static var sides: Self {
    Self(example: "44x44") { argument throws(Mistake) in
      switch argument.value {
      case .word(let text):
        let sides = text.split(separator: "x", maxSplits: 1, omittingEmptySubsequences: false)
          .compactMap { Arithmetic.value(String($0)) }
        if sides.count == 2 { return sides }
      // As the app's code has it.
      case .call("CGSize", let parts), .call(".init", let parts):
        if let sides = parts.numbers(["width", "height"]) { return sides }
      default: break
      }
      throw .wrong(argument, "a size like 44x44")
    }
  }

  /// Numbers in parentheses, without labels or with these: `(0.5, 0.5)`, `(x: 0.5, y: 0.5)`; or a call as the app's code
  /// has it.
  package static func tuple(
    _ labels: [String], call: String? = nil, expected: String, example: String
  ) -> Self {
    Self(example: example) { argument throws(Mistake) in
      let members: [ChainSyntax.Argument] =
        switch argument.value {
        case .group(let group): group
        case .call(let name, let group) where name == call || name == ".init": group
        default: []
        }
      guard let numbers = members.numbers(labels) ?? members.numbers(labels.map { _ in nil }) else {
        throw .wrong(argument, expected)
      }
      return numbers
    }
  }
}

extension ArgumentType where Value == String {
  package static var quoted: Self {
    Self(example: #""identifier""#) { argument throws(Mistake) in
      if case .quoted(let text) = argument.value { return text }
      throw .wrong(argument, "text in double quotes")
    }
  }

  /// A bare word or text in quotes.
  package static func text(example: String) -> Self {
    Self(example: example) { argument throws(Mistake) in
      switch argument.value {
      case .quoted(let text), .word(let text): return text
      default: throw .wrong(argument, "a name")
      }
    }
  }

  /// One of the words of an enumeration, or its number where it has one.
  package static func word(
    of words: [String], hasNumbers: Bool = false, expected: String, example: String
  ) -> Self {
    word(of: words, expected: expected, example: example) { word in
      if words.contains(word) { return word }
      let index = hasNumbers ? Int(word) : nil
      return index.flatMap { words.indices.contains($0) ? words[$0] : nil }
    }
  }
}

extension ArgumentType {
  /// One of the words of an enumeration, also with the dot that Swift has before it.
  fileprivate static func word(
    of words: [String], expected: String, example: String, _ value: @escaping (String) -> Value?
  ) -> Self {
    Self(example: example) { argument throws(Mistake) in
      guard let word = argument.word?.withoutDot else { throw .wrong(argument, expected) }
      if let value = value(word) { return value }
      throw .wrong(argument, expected, nearest: WordDistance.nearest(word, in: words))
    }
  }
}

extension ArgumentType where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
  /// One of the words of an enumeration.
  package static var oneOf: Self {
    let words = Value.allCases.map(\.rawValue)
    return word(of: words, expected: words.joined(separator: " or "), example: words.first ?? "") {
      Value(rawValue: $0)
    }
  }
}

extension ArgumentType where Value == UInt {
  /// Bits by their words, joined with `+`.
  package static func joined(_ words: [(word: String, bits: UInt)], example: String) -> Self {
    let expected = words.map(\.word).joined(separator: ", ") + ", joined with +"
    return Self(example: example) { argument throws(Mistake) in
      guard let text = argument.word else { throw .wrong(argument, expected) }
      var bits: UInt = 0
      for part in text.split(separator: "+", omittingEmptySubsequences: false) {
        guard let member = words.first(where: { $0.word == part }) else {
          let nearest = WordDistance.nearest(String(part), in: words.map(\.word))
          throw .wrong(argument, expected, nearest: nearest)
        }
        bits |= member.bits
      }
      return bits
    }
  }
}

extension ArgumentType where Value == (String, Double) {
  /// A number under one of several words: `widthFraction(0.5)`; alone it has the first of them.
  package static func measure(_ words: [String]) -> Self {
    let texts = words.map { "\($0)(N)" }
    let expected = texts.dropLast().joined(separator: ", ") + " or " + (texts.last ?? "")
    return Self(example: "\(words.last ?? "")(0.5)") { argument throws(Mistake) in
      switch argument.value {
      case .call(let name, let parts):
        if words.contains(name), let numbers = parts.numbers([nil]) { return (name, numbers[0]) }
      default: if let value = argument.number, let word = words.first { return (word, value) }
      }
      throw .wrong(argument, expected)
    }
  }
}
