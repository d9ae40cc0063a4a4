import Text

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

extension ArgumentType where Value == [Double] {
  /// A width and a height, unit not yet known.
  package static var sides: Self {
    Self(example: "44x44") { argument in
      switch argument.value {
      case .word(let text):
        let sides = text.split(separator: "x", maxSplits: 1, omittingEmptySubsequences: false)
        if sides.count == 2, let width = DecimalText.double(String(sides[0])),
          let height = DecimalText.double(String(sides[1]))
        {
          return .success([width, height])
        }
      // As the app's code has it.
      case .call("CGSize", let parts), .call(".init", let parts):
        if let sides = numbers(parts, labels: ["width", "height"]) {
          return .success(sides)
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

extension ArgumentType where Value == [Double] {
  /// Numbers in parentheses, without labels or with these: `(0.5, 0.5)`, `(x: 0.5, y: 0.5)`; or a call as the app's code
  /// has it.
  package static func tuple(
    _ labels: [String], call: String? = nil, expected: String, example: String
  ) -> Self {
    Self(example: example) { argument in
      let members: [ChainSyntax.Argument]
      switch argument.value {
      case .group(let group): members = group
      case .call(let name, let group) where name == call || name == ".init": members = group
      default: members = []
      }
      let hasLabels = members.map(\.label) == labels
      let numbers = members.compactMap { member -> Double? in
        guard hasLabels || member.label == nil, case .word(let text) = member.value else { return nil }
        return DecimalText.double(text)
      }
      guard members.count == labels.count, numbers.count == labels.count else {
        return .failure(.init(mistakes: [wrong(argument, expected)]))
      }
      return .success(numbers)
    }
  }
}

extension String {
  /// `aspectFit` for `.aspectFit`.
  var withoutDot: String { hasPrefix(".") ? String(dropFirst()) : self }
}

extension ArgumentType where Value == String {
  /// One of the words of an enumeration, also with the dot that Swift has before it, or its number where it has one.
  package static func word(
    of words: [String], hasNumbers: Bool = false, expected: String, example: String
  ) -> Self {
    Self(example: example) { argument in
      guard case .word(let text) = argument.value else {
        return .failure(.init(mistakes: [wrong(argument, expected)]))
      }
      let word = text.withoutDot
      if words.contains(word) { return .success(word) }
      if hasNumbers, let index = DecimalText.whole(word), words.indices.contains(index) {
        return .success(words[index])
      }
      let nearest = WordDistance.nearest(word, in: words)
      return .failure(.init(mistakes: [wrong(argument, expected, nearest: nearest)]))
    }
  }
}

extension ArgumentType where Value == UInt {
  /// Bits by their words, joined with `+`.
  package static func joined(_ words: [(word: String, bits: UInt)], example: String) -> Self {
    let expected = words.map(\.word).joined(separator: ", ") + ", joined with +"
    return Self(example: example) { argument in
      guard case .word(let text) = argument.value else {
        return .failure(.init(mistakes: [wrong(argument, expected)]))
      }
      var bits: UInt = 0
      for part in text.split(separator: "+", omittingEmptySubsequences: false) {
        guard let member = words.first(where: { $0.word == part }) else {
          let nearest = WordDistance.nearest(String(part), in: words.map(\.word))
          return .failure(.init(mistakes: [wrong(argument, expected, nearest: nearest)]))
        }
        bits |= member.bits
      }
      return .success(bits)
    }
  }
}

extension ArgumentType where Value == (String, Double) {
  /// A number under one of several words: `widthFraction(0.5)`; alone it has the first of them.
  package static func measure(_ words: [String]) -> Self {
    let texts = words.map { "\($0)(N)" }
    let expected = texts.dropLast().joined(separator: ", ") + " or " + (texts.last ?? "")
    return Self(example: "\(words.last ?? "")(0.5)") { argument in
      switch argument.value {
      case .word(let text):
        if let value = DecimalText.double(text), let word = words.first { return .success((word, value)) }
      case .call(let name, let parts):
        if words.contains(name), parts.count == 1, parts[0].label == nil,
          case .word(let text) = parts[0].value,
          let value = DecimalText.double(text)
        {
          return .success((name, value))
        }
      default: break
      }
      return .failure(.init(mistakes: [wrong(argument, expected)]))
    }
  }
}
