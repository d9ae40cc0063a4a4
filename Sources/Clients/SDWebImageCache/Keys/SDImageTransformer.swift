import Text

/// One of SDWebImage's own transformers with its arguments, as an app makes it.
///
/// Sizes are in points of the image that is transformed: pixels divided by its scale, which does not belong to a mark.
public indirect enum SDImageTransformer: Hashable, Sendable {
  /// `SDImageResizingTransformer`: draws at a size.
  case resizing(size: Size, scaleMode: ScaleMode)
  /// `SDImageCroppingTransformer`: cuts out a rectangle.
  case cropping(rect: Rect)
  /// `SDImageRoundCornerTransformer`: rounds corners, and draws a border where the width is more than 0.
  case roundCorner(radius: Double, corners: RectCorner, borderWidth: Double, borderColor: Color?)
  /// `SDImageFlippingTransformer`.
  case flipping(horizontal: Bool, vertical: Bool)
  /// Radians, counterclockwise on iOS.
  case rotation(angle: Double, fitSize: Bool)
  /// `blendMode`: nil for `SDImageTintTransformer(color:)`. Others since 5.20.0.
  case tint(color: Color, blendMode: BlendMode?)
  /// `SDImageBlurTransformer`; the radius is in points.
  case blur(radius: Double)
  /// A Core Image filter by its name.
  case filter(name: String)
  /// An app's own transformer, of which only its `transformerKey` is known: nothing can be drawn.
  case custom(key: String)
  /// Draws like `transformer` but is known to the app under another `transformerKey`.
  case identified(SDImageTransformer, as: String)

  /// Points.
  public struct Size: Hashable, Sendable {
    /// Points.
    public var width, height: Double

    /// A size in points.
    public init(width: Double, height: Double) { (self.width, self.height) = (width, height) }
  }

  /// Points, from the top left corner.
  public struct Rect: Hashable, Sendable {
    /// The left and the top edge.
    public var x, y: Double
    /// To the right and the bottom edge.
    public var width, height: Double

    /// A rectangle by its corner and its size.
    public init(x: Double, y: Double, width: Double, height: Double) {
      self.x = x
      self.y = y
      self.width = width
      self.height = height
    }
  }

  /// `SDImageScaleMode`, with its raw values.
  public enum ScaleMode: Int, Hashable, Sendable, CaseIterable {
    /// Width and height become those of the size, even if that distorts the image.
    case fill
    /// The whole image fits into the size.
    case aspectFit
    /// The image covers the size, and what is beyond it is cut off.
    case aspectFill
  }

  /// `UIRectCorner`.
  public struct RectCorner: OptionSet, Hashable, Sendable {
    /// A bit for each corner.
    public let rawValue: UInt

    /// The corners of these bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The top left corner.
    public static let topLeft = RectCorner(rawValue: 1)
    /// The top right corner.
    public static let topRight = RectCorner(rawValue: 2)
    /// The bottom left corner.
    public static let bottomLeft = RectCorner(rawValue: 4)
    /// The bottom right corner.
    public static let bottomRight = RectCorner(rawValue: 8)
    /// All bits, which is not the same as the four corners together: the mark holds the number.
    public static let allCorners = RectCorner(rawValue: .max)
  }

  /// `CGBlendMode`: its names and raw values.
  public enum BlendMode: Int, Hashable, Sendable, CaseIterable {
    /// The separable modes, which work on each component alone.
    case normal, multiply, screen, overlay, darken, lighten, colorDodge, colorBurn, softLight, hardLight
    /// `difference` and `exclusion` are separable too; the others mix hue, saturation and luminosity.
    case difference, exclusion, hue, saturation, color, luminosity
    /// Porter and Duff's operators, which go by the alphas.
    case clear, copy, sourceIn, sourceOut, sourceAtop, destinationOver, destinationIn, destinationOut
    /// The last of these operators, and two sums that are clamped.
    case destinationAtop, xor, plusDarker, plusLighter
  }

  /// sRGB components in 0...1, as `UIColor.getRed` gives them.
  public struct Color: Hashable, Sendable {
    /// The components, 0 to 1.
    public var red, green, blue, alpha: Double

    /// A colour by its components, opaque by default.
    public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
      self.red = red
      self.green = green
      self.blue = blue
      self.alpha = alpha
    }

    var value: ProcessorValue { .color(.rgba(red: red, green: green, blue: blue, alpha: alpha)) }
  }
}

/// A request's `imageThumbnailPixelSize` and `imagePreserveAspectRatio` (5.5.0 and later, together with
/// transformers 5.7.0 and later).
public struct SDImageThumbnail: Hashable, Sendable {
  /// Pixels.
  public var width, height: Double
  /// Whether the image keeps its shape and fits into the size.
  public var preservesAspectRatio: Bool

  /// The greatest width and height in pixels.
  public init(width: Double, height: Double, preservesAspectRatio: Bool = true) {
    self.width = width
    self.height = height
    self.preservesAspectRatio = preservesAspectRatio
  }
}
