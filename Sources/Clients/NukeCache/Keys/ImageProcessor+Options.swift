import Text

// What processors have as options, as an app's code spells it.

extension ImageProcessor {
  /// What a size is measured in. Points are multiplied by the screen scale.
  public enum Unit: String, Hashable, Sendable, CaseIterable {
    /// Multiplied by the screen scale.
    case points
    /// Taken as they are.
    case pixels
  }

  /// How an image takes a target of another shape: Nuke's `ImageProcessingOptions.ContentMode`.
  public enum ContentMode: String, Hashable, Sendable, CaseIterable {
    /// The image covers the target.
    case aspectFill
    /// The whole image fits into the target.
    case aspectFit
  }

  /// A line drawn along the edge; its width is in `unit`.
  public struct Border: Hashable, Sendable {
    /// The colour of the line.
    public var color: Color
    /// The width of the line.
    public var width: Double
    /// What the width is measured in.
    public var unit: Unit

    /// A line; by default one point wide.
    public init(color: Color, width: Double = 1, unit: Unit = .points) {
      self.color = color
      self.width = width
      self.unit = unit
    }

    var value: ProcessorValue {
      .group(["color": .color(color.value), "width": .number(width), "unit": .word(unit.rawValue)])
    }
  }

  /// An sRGB colour, components in 0...1 but not limited to it (wide gamut).
  public struct Color: Hashable, Sendable {
    let value: ColorValue

    /// As `UIColor(red:green:blue:alpha:)`.
    public init(red: Double, green: Double, blue: Double, alpha: Double) {
      value = .rgba(red: red, green: green, blue: blue, alpha: alpha)
    }

    /// As `UIColor(white:alpha:)`, held as RGB.
    public init(white: Double, alpha: Double) {
      self.init(red: white, green: white, blue: white, alpha: alpha)
    }

    /// As `UIColor.black`.
    public static let black = Self(white: 0, alpha: 1)
    /// As `UIColor.white`.
    public static let white = Self(white: 1, alpha: 1)
    /// As `UIColor.red`.
    public static let red = Self(red: 1, green: 0, blue: 0, alpha: 1)
  }
}

#if os(Linux)
  /// What an app's code calls the colour of a border.
  public typealias UIColor = ImageProcessor.Color
#endif
