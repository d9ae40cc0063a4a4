import KingfisherCache
import Syntax
import Text

extension ArgumentType where Value == BuiltInProcessor.Point {
  /// `(0.5, 0.5)` or `(x: 0.5, y: 0.5)`.
  package static var point: Self {
    Self(example: "(0.5, 0.5)") { argument in
      if case .group(let members) = argument.value, members.count == 2,
        members.map(\.label) == [nil, nil] || members.map(\.label) == ["x", "y"]
      {
        let numbers = members.compactMap { member -> Double? in
          if case .word(let text) = member.value { DecimalText.double(text) } else { nil }
        }
        if numbers.count == 2 { return .success(.init(x: numbers[0], y: numbers[1])) }
      }
      return .failure(.init(mistakes: [wrong(argument, "a point like (0.5, 0.5)")]))
    }
  }
}

extension ArgumentType where Value == BuiltInProcessor.Radius {
  /// `widthFraction(0.5)`, `heightFraction(0.5)`, `point(8)` or the points alone.
  package static var radius: Self {
    Self(example: "widthFraction(0.5)") { argument in
      switch argument.value {
      case .word(let text):
        if let points = DecimalText.double(text) { return .success(.point(points)) }
      case .call(let name, let parts):
        if parts.count == 1, parts[0].label == nil, case .word(let text) = parts[0].value,
          let value = DecimalText.double(text), let radius = radius(name, value)
        {
          return .success(radius)
        }
      default: break
      }
      return .failure(
        .init(mistakes: [wrong(argument, "point(N), widthFraction(N) or heightFraction(N)")]))
    }
  }

  private static func radius(_ name: String, _ value: Double) -> BuiltInProcessor.Radius? {
    switch name {
    case "point": .point(value)
    case "widthFraction": .widthFraction(value)
    case "heightFraction": .heightFraction(value)
    default: nil
    }
  }
}

extension ArgumentType where Value == BuiltInProcessor.RectCorner {
  /// `topLeft+bottomRight`, `all`, `none`.
  package static var corners: Self {
    let words: KeyValuePairs<String, BuiltInProcessor.RectCorner> = [
      "topLeft": .topLeft, "topRight": .topRight, "bottomLeft": .bottomLeft, "bottomRight": .bottomRight,
      "all": .all, "none": [],
    ]
    let expected = words.map(\.key).joined(separator: ", ") + ", joined with +"
    return Self(example: "topLeft+topRight") { argument in
      guard case .word(let text) = argument.value else {
        return .failure(.init(mistakes: [wrong(argument, expected)]))
      }
      var corners: BuiltInProcessor.RectCorner = []
      for part in text.split(separator: "+", omittingEmptySubsequences: false) {
        guard let corner = words.first(where: { $0.key == part })?.value else {
          let nearest = WordDistance.nearest(String(part), in: words.map(\.key))
          return .failure(.init(mistakes: [wrong(argument, expected, nearest: nearest)]))
        }
        corners.formUnion(corner)
      }
      return .success(corners)
    }
  }
}

extension ArgumentType where Value == BuiltInProcessor.BlendMode {
  /// By its name or its raw value.
  package static var blendMode: Self {
    let names = Value.allCases.map { "\($0)" }
    return Self(example: "multiply") { argument in
      guard case .word(let text) = argument.value else {
        return .failure(.init(mistakes: [wrong(argument, "a blend mode's name or a number from 0 to 27")]))
      }
      let number = names.firstIndex(of: text) ?? DecimalText.whole(text)
      if let mode = number.flatMap(Value.init(rawValue:)) { return .success(mode) }
      let nearest = WordDistance.nearest(text, in: names)
      return .failure(
        .init(mistakes: [wrong(argument, "a blend mode's name or a number from 0 to 27", nearest: nearest)]))
    }
  }
}
