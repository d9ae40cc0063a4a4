import Syntax
import Text

extension ArgumentType where Value == ColorValue {
  /// As ``color``, for keys that hold a colour's description: what has none that is known in advance is refused.
  static var exactColor: Self {
    Self(example: "#FF0000") { argument throws(Mistake) in
      switch argument.value {
      case .word(let text):
        guard isDynamic(ColorValue.name(in: text)) else { break }
        throw Mistake(
          argument.valueOffset,
          "\(Mistake.quote(text)) is a dynamic colour: its key depends on the device's appearance, and as a "
            + "background or border on a memory address, so it cannot be made in advance",
          help: "give what it resolves to, in the app too: rgba(R, G, B, A)")
      case .call("displayP3", _):
        throw Mistake(
          argument.valueOffset, "how UIKit prints a P3 colour is not known",
          help: "rgba(R, G, B, A) in extended sRGB, with components outside 0 to 1")
      default: break
      }
      return try color.read(argument)
    }
  }

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
}
