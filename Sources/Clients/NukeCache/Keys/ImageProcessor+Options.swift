import Text

// The type of a border's colour.
@_exported import enum Text.ColorValue

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
      .group(["color": color.value, "width": .number(width), "unit": .word(unit.rawValue)])
    }
  }

  /// `UIColor`; a key holds grey ones as RGB.
  public typealias Color = ColorValue
}

#if os(Linux)
  /// What an app's code calls the colour of a border.
  public typealias UIColor = ImageProcessor.Color
#endif
