/// One of SDWebImage's own transformers with its arguments, as an app makes it.
///
/// Sizes are in points of the image that is transformed: pixels divided by its scale, which does not belong to a mark.
public indirect enum SDImageTransformer: Hashable, Sendable {
  case resizing(size: Size, scaleMode: ScaleMode)
  case cropping(rect: Rect)
  case roundCorner(radius: Double, corners: RectCorner, borderWidth: Double, borderColor: Color?)
  case flipping(horizontal: Bool, vertical: Bool)
  /// Radians, counterclockwise on iOS.
  case rotation(angle: Double, fitSize: Bool)
  /// `blendMode`: nil for `SDImageTintTransformer(color:)`. Others since 5.20.0.
  case tint(color: Color, blendMode: BlendMode?)
  case blur(radius: Double)
  /// A Core Image filter by its name.
  case filter(name: String)
  /// An app's own transformer, of which only its `transformerKey` is known: nothing can be drawn.
  case custom(key: String)
  /// Draws like `transformer` but is known to the app under another `transformerKey`.
  case identified(SDImageTransformer, as: String)

  /// Points.
  public struct Size: Hashable, Sendable {
    public var width: Double
    public var height: Double

    public init(width: Double, height: Double) {
      self.width = width
      self.height = height
    }
  }

  /// Points, from the top left corner.
  public struct Rect: Hashable, Sendable {
    public var x, y, width, height: Double

    public init(x: Double, y: Double, width: Double, height: Double) {
      self.x = x
      self.y = y
      self.width = width
      self.height = height
    }
  }

  /// `SDImageScaleMode`, with its raw values.
  public enum ScaleMode: Int, Hashable, Sendable, CaseIterable {
    case fill, aspectFit, aspectFill
  }

  /// `UIRectCorner`.
  public struct RectCorner: OptionSet, Hashable, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let topLeft = RectCorner(rawValue: 1)
    public static let topRight = RectCorner(rawValue: 2)
    public static let bottomLeft = RectCorner(rawValue: 4)
    public static let bottomRight = RectCorner(rawValue: 8)
    /// All bits, which is not the same as the four corners together: the mark holds the number.
    public static let allCorners = RectCorner(rawValue: .max)
  }

  /// `CGBlendMode`: its names and raw values.
  public enum BlendMode: Int, Hashable, Sendable, CaseIterable {
    case normal, multiply, screen, overlay, darken, lighten, colorDodge, colorBurn, softLight, hardLight
    case difference, exclusion, hue, saturation, color, luminosity
    case clear, copy, sourceIn, sourceOut, sourceAtop, destinationOver, destinationIn, destinationOut
    case destinationAtop, xor, plusDarker, plusLighter
  }

  /// sRGB components in 0...1, as `UIColor.getRed` gives them.
  public struct Color: Hashable, Sendable {
    public var red, green, blue, alpha: Double

    public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
      self.red = red
      self.green = green
      self.blue = blue
      self.alpha = alpha
    }
  }
}

/// A request's `imageThumbnailPixelSize` and `imagePreserveAspectRatio` (5.7.0 and later).
public struct SDImageThumbnail: Hashable, Sendable {
  /// Pixels.
  public var width: Double
  public var height: Double
  public var preservesAspectRatio: Bool

  public init(width: Double, height: Double, preservesAspectRatio: Bool = true) {
    self.width = width
    self.height = height
    self.preservesAspectRatio = preservesAspectRatio
  }
}
