import KingfisherCache
import Syntax
import Text

extension ArgumentType where Value == BuiltInProcessor.Color {
  /// As ``color``, but grey stays grey, since its description is another one; and the constant colours of
  /// `UIColor` go by their names.
  static var kingfisherColor: Self {
    Self(example: "#FF0000") { argument in
      switch argument.value {
      case .word(let text):
        if let color = constants[text] { return .success(color) }
        if isDynamic(text) { return .failure(.init(mistakes: [dynamic(argument, text)])) }
        if !text.hasPrefix("#"), let nearest = WordDistance.nearest(text, in: Array(constants.keys)) {
          return .failure(.init(mistakes: [wrong(argument, "a colour", nearest: nearest)]))
        }
      case .call("displayP3", _):
        return .failure(
          .init(mistakes: [
            Mistake(
              argument.valueOffset, "how UIKit prints a P3 colour is not known",
              help: "rgba(R, G, B, A) in extended sRGB, with components outside 0 to 1")
          ]))
      default: break
      }
      switch ArgumentType<SpelledColor>.color.read(argument) {
      case .success(let color): return .success(.init(color))
      case .failure(let failure): return .failure(.init(mistakes: failure.mistakes))
      }
    }
  }

  private static let constants = SpelledColor.constants.mapValues(BuiltInProcessor.Color.init)

  /// `UIColor`'s names of colours that look different in light and dark.
  private static func isDynamic(_ name: String) -> Bool {
    let others = [
      "label", "secondaryLabel", "tertiaryLabel", "quaternaryLabel", "link", "placeholderText", "separator",
      "opaqueSeparator", "secondarySystemBackground", "tertiarySystemBackground", "secondarySystemFill",
      "tertiarySystemFill", "quaternarySystemFill", "secondarySystemGroupedBackground",
      "tertiarySystemGroupedBackground", "tintColor", "accentColor", "primary", "secondary",
    ]
    return name.hasPrefix("system") || others.contains(name)
  }

  private static func dynamic(_ argument: ChainSyntax.Argument, _ name: String) -> Mistake {
    Mistake(
      argument.valueOffset,
      "\(Mistake.quote(name)) is a dynamic colour: its key depends on the device's appearance, and as a "
        + "background or border on a memory address, so it cannot be made in advance",
      help: "give what it resolves to, in the app too: rgba(R, G, B, A)")
  }
}

extension BuiltInProcessor.Color {
  fileprivate init(_ color: SpelledColor) {
    switch color {
    case .rgba(let red, let green, let blue, let alpha):
      self = .rgba(red: red, green: green, blue: blue, alpha: alpha)
    case .gray(let white, let alpha): self = .gray(white: white, alpha: alpha)
    case .described: self = .gray(white: 0, alpha: 1)
    }
  }
}
