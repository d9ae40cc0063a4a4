import Text

/// Colours as a job spells them.
extension ColorValue {
  /// `UIColor`'s class properties that are the same in every appearance.
  package static let constants: [String: ColorValue] = [
    "black": .gray(white: 0, alpha: 1), "darkGray": .gray(white: 1.0 / 3, alpha: 1),
    "gray": .gray(white: 0.5, alpha: 1), "lightGray": .gray(white: 2.0 / 3, alpha: 1),
    "white": .gray(white: 1, alpha: 1), "clear": .gray(white: 0, alpha: 0),
    "red": .rgba(red: 1, green: 0, blue: 0, alpha: 1), "green": .rgba(red: 0, green: 1, blue: 0, alpha: 1),
    "blue": .rgba(red: 0, green: 0, blue: 1, alpha: 1), "cyan": .rgba(red: 0, green: 1, blue: 1, alpha: 1),
    "yellow": .rgba(red: 1, green: 1, blue: 0, alpha: 1),
    "magenta": .rgba(red: 1, green: 0, blue: 1, alpha: 1),
    "orange": .rgba(red: 1, green: 0.5, blue: 0, alpha: 1),
    "purple": .rgba(red: 0.5, green: 0, blue: 0.5, alpha: 1),
    "brown": .rgba(red: 0.6, green: 0.4, blue: 0.2, alpha: 1),
  ]

  /// The name in `red`, `.red` and `UIColor.red`.
  package static func name(in word: String) -> String {
    word.hasPrefix("UIColor.") ? String(word.dropFirst("UIColor.".count)) : word.withoutDot
  }
}

extension ArgumentType where Value == ColorValue {
  static var expectedColor: String {
    "a colour: #RRGGBB, #RRGGBBAA, rgba(R, G, B, A), gray(W, A) or a name such as red"
  }

  package static var color: Self {
    Self(example: "#FF0000") { argument throws(Mistake) in
      switch argument.value {
      case .word(let text):
        let name = ColorValue.name(in: text)
        if let color = hex(text) ?? ColorValue.constants[name] { return color }
        let nearest = WordDistance.nearest(name, in: Array(ColorValue.constants.keys))
        throw .wrong(argument, expectedColor, nearest: nearest)
      case .call("rgba", let parts): return ColorValue(try components(parts, count: 4, of: argument))
      case .call("gray", let parts): return ColorValue(try components(parts, count: 2, of: argument))
      case .call("UIColor", let parts), .call(".init", let parts):
        let numbers = parts.numbers(["red", "green", "blue", "alpha"]) ?? parts.numbers(["white", "alpha"])
        if let numbers { return ColorValue(numbers) }
      default: break
      }
      throw .wrong(argument, expectedColor)
    }
  }

  private static func hex(_ text: String) -> ColorValue? {
    let digits = text.utf8.dropFirst()
    guard text.hasPrefix("#"), digits.count == 6 || digits.count == 8,
      digits.allSatisfy(\.isHexadecimalDigit),
      let value = UInt32(text.dropFirst(), radix: 16)
    else { return nil }
    let rgba = digits.count == 8 ? value : value << 8 | 0xFF
    func part(_ shift: UInt32) -> Double { Double(rgba >> shift & 0xFF) / 255 }
    return .rgba(red: part(24), green: part(16), blue: part(8), alpha: part(0))
  }

  private static func components(
    _ parts: [ChainSyntax.Argument], count: Int, of argument: ChainSyntax.Argument
  ) throws(Mistake) -> [Double] {
    if let part = parts.first(where: { $0.label != nil || $0.number == nil }) {
      throw Mistake(part.offset, "a colour's component is a number")
    }
    if parts.count == count { return parts.compactMap(\.number) }
    let name = count == 4 ? "rgba(R, G, B, A)" : "gray(W, A)"
    throw Mistake(argument.valueOffset, "\(name) has \(count) components, not \(parts.count)")
  }
}
