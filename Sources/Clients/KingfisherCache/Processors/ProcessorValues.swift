import Foundation
import Text

// The types of arguments that the libraries share.
@_exported import enum Text.BlendModeValue
@_exported import enum Text.ColorValue

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

  /// `CGBlendMode`.
  public typealias BlendMode = BlendModeValue
  /// `UIColor` or `NSColor`.
  public typealias Color = ColorValue
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
