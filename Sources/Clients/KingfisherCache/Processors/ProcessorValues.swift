import Foundation
import Text

// What Kingfisher's processors have as arguments.

extension BuiltInProcessor {
  /// Kingfisher's `ContentMode`: how an image takes a reference size.
  public enum ContentMode: String, Hashable, Sendable, CaseIterable {
    /// Width and height become those of the reference, even if that distorts the image.
    case none
    /// The whole image fits into the reference.
    case aspectFit
    /// The image covers the reference. Nothing is cut off.
    case aspectFill
  }

  /// `Radius`: fractions are of the target's width or height (since 5.14.0).
  public enum Radius: Hashable, Sendable {
    /// A part of the target's width, 0 to 1.
    case widthFraction(Double)
    /// A part of the target's height, 0 to 1.
    case heightFraction(Double)
    /// Points.
    case point(Double)

    /// The initialiser's label: points have one of their own.
    var label: String { if case .point = self { "cornerRadius" } else { "radius" } }

    var value: ProcessorValue {
      if case .point(let points) = self { .number(points) } else { measure }
    }

    var measure: ProcessorValue {
      switch self {
      case .widthFraction(let part): .measure("widthFraction", part)
      case .heightFraction(let part): .measure("heightFraction", part)
      case .point(let points): .measure("point", points)
      }
    }
  }

  /// `RectCorner`: Kingfisher's own bits.
  public struct RectCorner: OptionSet, Hashable, Sendable {
    /// A bit for each corner.
    public let rawValue: Int

    /// The corners of these bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The top left corner.
    public static let topLeft = RectCorner(rawValue: 1)
    /// The top right corner.
    public static let topRight = RectCorner(rawValue: 2)
    /// The bottom left corner.
    public static let bottomLeft = RectCorner(rawValue: 4)
    /// The bottom right corner.
    public static let bottomRight = RectCorner(rawValue: 8)
    /// All four corners, which is the default of Kingfisher's processors.
    public static let all: RectCorner = [.topLeft, .topRight, .bottomLeft, .bottomRight]

    var value: ProcessorValue { .corners(UInt(bitPattern: rawValue)) }
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

    var value: ProcessorValue {
      switch self {
      case .rgba(let red, let green, let blue, let alpha):
        .color(.rgba(red: red, green: green, blue: blue, alpha: alpha))
      case .gray(let white, let alpha): .color(.gray(white: white, alpha: alpha))
      }
    }
  }
}

extension CGSize {
  var value: ProcessorValue { .numbers([Double(width), Double(height)]) }
}

/// A colour by the constructor that made it. In Kingfisher this names `UIColor` or `NSColor`.
public typealias KFCrossPlatformColor = BuiltInProcessor.Color

/// A border along the edge of an image: Kingfisher's `Border`.
public struct Border: Hashable, Sendable {
  /// The colour of the line.
  public var color: KFCrossPlatformColor
  /// Points.
  public var lineWidth: Double
  /// The radius of the corners that the line follows.
  public var radius: BuiltInProcessor.Radius
  /// The corners that are round; the line has a right angle at the others.
  public var roundingCorners: BuiltInProcessor.RectCorner

  /// Kingfisher's own defaults: a black line of four points and square corners.
  public init(
    color: KFCrossPlatformColor = .gray(white: 0, alpha: 1), lineWidth: Double = 4,
    radius: BuiltInProcessor.Radius = .point(0), roundingCorners: BuiltInProcessor.RectCorner = .all
  ) {
    self.color = color
    self.lineWidth = lineWidth
    self.radius = radius
    self.roundingCorners = roundingCorners
  }
}
