import KingfisherCache
import Syntax
import Text

extension ArgumentType where Value == BuiltInProcessor.Point {
  /// `(0.5, 0.5)` or `(x: 0.5, y: 0.5)`.
  package static var point: Self {
    .tuple(["x", "y"], expected: "a point like (0.5, 0.5)", example: "(0.5, 0.5)") {
      BuiltInProcessor.Point(x: $0[0], y: $0[1])
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
    .joined(
      [
        "topLeft": .topLeft, "topRight": .topRight, "bottomLeft": .bottomLeft, "bottomRight": .bottomRight,
        "all": .all, "none": [],
      ], example: "topLeft+topRight")
  }
}

extension ArgumentType where Value == BuiltInProcessor.BlendMode {
  /// By its name or its raw value.
  package static var blendMode: Self {
    .caseOrNumber("a blend mode's name or a number from 0 to 27", example: "multiply")
  }
}
