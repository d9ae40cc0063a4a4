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
      case .success(.rgba(let red, let green, let blue, let alpha)):
        return .success(.rgba(red: red, green: green, blue: blue, alpha: alpha))
      case .success(.gray(let white, let alpha)): return .success(.gray(white: white, alpha: alpha))
      case .failure(let failure): return .failure(.init(mistakes: failure.mistakes))
      }
    }
  }

  /// `UIColor`'s class properties that are the same in every appearance.
  private static let constants: [String: BuiltInProcessor.Color] = [
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
