extension RenderStep {
  /// A corner's radius. Fractions are of the shape that is rounded, whose size only the drawing knows.
  package enum Radius: Codable, Hashable, Sendable {
    case pixels(Double)
    case widthFraction(Double)
    case heightFraction(Double)
  }

  /// Which corners are round.
  package struct Corners: OptionSet, Codable, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let topLeft = Corners(rawValue: 1)
    package static let topRight = Corners(rawValue: 2)
    package static let bottomLeft = Corners(rawValue: 4)
    package static let bottomRight = Corners(rawValue: 8)
    static let all: Corners = [.topLeft, .topRight, .bottomLeft, .bottomRight]
  }

  /// The picture drawn over all of a canvas and clipped to a shape with round corners.
  package struct CornerRounding: Codable, Hashable, Sendable {
    package var radius: Radius
    package var corners: Corners
    /// The canvas, in points and distorting; nil: the picture's own size.
    package var target: Resizing?
    /// Shows where the picture does not.
    package var background: Color?

    package init(radius: Radius, corners: Corners, target: Resizing?, background: Color?) {
      self.radius = radius
      self.corners = corners
      self.target = target
      self.background = background
    }
  }

  /// A line along the picture's edge, all of its width inside. The picture itself is not clipped.
  package struct EdgeLine: Codable, Hashable, Sendable {
    /// Pixels.
    package var width: Double
    package var color: Color
    /// Of the line's outer edge; fractions are of the rectangle through the middle of the line.
    package var radius: Radius
    package var corners: Corners

    package init(width: Double, color: Color, radius: Radius, corners: Corners) {
      self.width = width
      self.color = color
      self.radius = radius
      self.corners = corners
    }
  }
}
