/// One of Kingfisher's own processors with its arguments, as an app spells them.
///
/// Sizes are in points; pixels follow from the request's scale factor, which is no part of a key.
public indirect enum BuiltInProcessor: Hashable, Sendable {
  /// Its identifier is empty.
  case `default`
  case resizing(referenceSize: Size, mode: ContentMode)
  case downsampling(size: Size)
  case roundCorner(radius: Radius, targetSize: Size?, corners: RectCorner, backgroundColor: Color?)
  case blur(blurRadius: Double)
  case overlay(color: Color, fraction: Double)
  case tint(color: Color)
  case colorControls(brightness: Double, contrast: Double, saturation: Double, inputEV: Double)
  case blackWhite
  /// The anchor goes from (0, 0), top left, to (1, 1).
  case cropping(size: Size, anchor: Point)
  case blend(mode: BlendMode, alpha: Double, backgroundColor: Color?)
  case border(color: Color, lineWidth: Double, radius: Radius, corners: RectCorner)
  /// An app's own processor, of which only the identifier is known: nothing can be drawn.
  case custom(identifier: String)
  /// Draws like `processor` but is known to the app under another identifier.
  case identified(BuiltInProcessor, as: String)

  /// Points.
  public struct Size: Hashable, Sendable {
    public var width: Double
    public var height: Double

    public init(width: Double, height: Double) {
      self.width = width
      self.height = height
    }
  }

  public struct Point: Hashable, Sendable {
    public var x: Double
    public var y: Double

    public init(x: Double, y: Double) {
      self.x = x
      self.y = y
    }
  }

  public enum ContentMode: String, Hashable, Sendable, CaseIterable {
    case none, aspectFit, aspectFill
  }

  /// `Radius`: fractions are of the target's width or height (since 5.14.0).
  public enum Radius: Hashable, Sendable {
    case widthFraction(Double)
    case heightFraction(Double)
    case point(Double)
  }

  /// `RectCorner`: Kingfisher's own bits.
  public struct RectCorner: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let topLeft = RectCorner(rawValue: 1)
    public static let topRight = RectCorner(rawValue: 2)
    public static let bottomLeft = RectCorner(rawValue: 4)
    public static let bottomRight = RectCorner(rawValue: 8)
    public static let all: RectCorner = [.topLeft, .topRight, .bottomLeft, .bottomRight]
  }

  /// `CGBlendMode`: its names and raw values.
  public enum BlendMode: Int, Hashable, Sendable, CaseIterable {
    case normal, multiply, screen, overlay, darken, lighten, colorDodge, colorBurn, softLight, hardLight
    case difference, exclusion, hue, saturation, color, luminosity
    case clear, copy, sourceIn, sourceOut, sourceAtop, destinationOver, destinationIn, destinationOut
    case destinationAtop, xor, plusDarker, plusLighter
  }

  /// A colour by the constructor that made it, since its description tells them apart. Components are sRGB and may
  /// lie outside 0...1 (wide gamut).
  public enum Color: Hashable, Sendable {
    /// `UIColor(red:green:blue:alpha:)` and its kin.
    case rgba(red: Double, green: Double, blue: Double, alpha: Double)
    /// `UIColor(white:alpha:)`, `.black`, `.white`, `.clear`, the grey family.
    case gray(white: Double, alpha: Double)

    /// As `UIColor(red:green:blue:alpha:)`.
    public init(red: Double, green: Double, blue: Double, alpha: Double) {
      self = .rgba(red: red, green: green, blue: blue, alpha: alpha)
    }

    /// As `UIColor(white:alpha:)`.
    public init(white: Double, alpha: Double) { self = .gray(white: white, alpha: alpha) }
  }
}
