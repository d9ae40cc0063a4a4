extension RenderStep {
  /// A corner's radius. Fractions are of the shape that is rounded, whose size only the drawing knows.
  public enum Radius: Codable, Hashable, Sendable {
    case pixels(Double)
    case widthFraction(Double)
    case heightFraction(Double)
  }

  /// Which corners are round; the bits are Kingfisher's.
  public struct Corners: OptionSet, Codable, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let topLeft = Corners(rawValue: 1)
    public static let topRight = Corners(rawValue: 2)
    public static let bottomLeft = Corners(rawValue: 4)
    public static let bottomRight = Corners(rawValue: 8)
    public static let all: Corners = [.topLeft, .topRight, .bottomLeft, .bottomRight]
  }

  /// The picture drawn over all of a canvas and clipped to a shape with round corners.
  public struct CornerRounding: Codable, Hashable, Sendable {
    public var radius: Radius
    public var corners: Corners
    /// The canvas, in points and distorting; nil: the picture's own size.
    public var target: Resizing?
    /// Shows where the picture does not.
    public var background: Color?

    public init(radius: Radius, corners: Corners, target: Resizing?, background: Color?) {
      self.radius = radius
      self.corners = corners
      self.target = target
      self.background = background
    }
  }

  /// A line along the picture's edge, all of its width inside. The picture itself is not clipped.
  public struct EdgeLine: Codable, Hashable, Sendable {
    /// Pixels.
    public var width: Double
    public var color: Color
    /// Of the line's outer edge; fractions are of the rectangle through the middle of the line.
    public var radius: Radius
    public var corners: Corners

    public init(width: Double, color: Color, radius: Radius, corners: Corners) {
      self.width = width
      self.color = color
      self.radius = radius
      self.corners = corners
    }
  }
}
