extension RenderStep {

  package static func flip(horizontal: Bool, vertical: Bool) -> RenderStep {
    RenderStep(Flip(horizontal: horizontal, vertical: vertical))
  }

  package static func roundedCorners(radius: Double, border: Border?) -> RenderStep {
    RenderStep(RoundedCorners(radius: radius, border: border))
  }

  package static func cornerRounding(
    radius: Radius, corners: Corners, target: Resizing?, background: Color?
  ) -> RenderStep {
    RenderStep(CornerRounding(radius: radius, corners: corners, target: target, background: background))
  }

  package static func edgeLine(width: Double, color: Color, radius: Radius, corners: Corners) -> RenderStep {
    RenderStep(EdgeLine(width: width, color: color, radius: radius, corners: corners))
  }

  package static func framing(
    inset: Double, radius: Double, corners: Corners, line: Framing.Line?
  ) -> RenderStep {
    RenderStep(Framing(inset: inset, radius: radius, corners: corners, line: line))
  }

  package static func rotation(cosine: Double, sine: Double, fitsCanvas: Bool) -> RenderStep {
    RenderStep(Rotation(cosine: cosine, sine: sine, fitsCanvas: fitsCanvas))
  }

  /// A line stroked along the edge of the shape and clipped to it, so that half its width shows.
  package struct Border: Codable, Hashable, Sendable {
    package var width: Double
    package var color: Color

    package init(width: Double, color: Color) {
      self.width = width
      self.color = color
    }
  }

  /// A corner's radius. Fractions are of the shape that is rounded.
  package enum Radius: Codable, Hashable, Sendable {
    case pixels(Double)
    case widthFraction(Double)
    case heightFraction(Double)

    package func pixels(width: Double, height: Double) -> Double {
      switch self {
      case .pixels(let pixels): pixels
      case .widthFraction(let fraction): fraction * width
      case .heightFraction(let fraction): fraction * height
      }
    }
  }

  /// Which corners are round.
  package struct Corners: OptionSet, Codable, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let topLeft = Corners(rawValue: 1)
    package static let topRight = Corners(rawValue: 2)
    package static let bottomLeft = Corners(rawValue: 4)
    package static let bottomRight = Corners(rawValue: 8)
    package static let all: Corners = [.topLeft, .topRight, .bottomLeft, .bottomRight]

    /// Top left, top right, bottom left, bottom right.
    package func radii(_ radius: Double) -> [Double] {
      [Corners.topLeft, .topRight, .bottomLeft, .bottomRight].map { contains($0) ? radius : 0 }
    }
  }

  /// Rounds the corners of the whole picture; a radius beyond half its shorter side counts as that half. Always yields
  /// alpha.
  package struct RoundedCorners: DrawingStep {
    package static let name = "roundedCorners"
    package static let isWrapped = false

    package var radius: Double
    package var border: Border?
  }

  /// The picture drawn over all of a canvas and clipped to a shape with round corners.
  package struct CornerRounding: DrawingStep {
    package static let name = "cornerRounding"

    package var radius: Radius
    package var corners: Corners
    /// The canvas, in points and distorting; nil: the picture's own size.
    package var target: Resizing?
    /// Shows where the picture does not.
    package var background: Color?

    package var isNothing: Bool { target?.isNothing == true }
    package var isPlaced: Bool { target != nil }

    package func size(of source: PixelSize) throws(RenderFailure) -> PixelSize {
      if let target { try target.size(of: source) } else { source }
    }

    package func placement(of source: PixelSize) throws(RenderFailure) -> Placement? {
      try target?.placement(of: source)
    }
  }

  /// A line along the picture's edge, all of its width inside. The picture itself is not clipped.
  package struct EdgeLine: DrawingStep {
    package static let name = "edgeLine"

    /// Pixels.
    package var width: Double
    package var color: Color
    /// Of the line's outer edge; fractions are of the rectangle through the middle of the line.
    package var radius: Radius
    package var corners: Corners
  }

  /// A rounded rectangle at the same distance from all edges; what lies outside is transparent. All lengths are pixels.
  package struct Framing: DrawingStep {
    package static let name = "framing"

    package var inset: Double
    package var radius: Double
    package var corners: Corners
    package var line: Line?

    /// A line that covers picture and margin; not drawn where the margins leave nothing of the picture.
    package struct Line: Codable, Hashable, Sendable {
      /// From the picture's edge to the line's outer edge.
      package var inset: Double
      package var width: Double
      /// Of the line's outer edge.
      package var radius: Double
      package var color: Color

      package init(inset: Double, width: Double, radius: Double, color: Color) {
        self.inset = inset
        self.width = width
        self.radius = radius
        self.color = color
      }
    }
  }

  /// Mirrored left to right, top to bottom, or both.
  package struct Flip: DrawingStep {
    package static let name = "flip"
    package static let isWrapped = false

    package var horizontal, vertical: Bool
  }

  /// The picture turned about its centre; what it does not cover is transparent.
  package struct Rotation: DrawingStep {
    package static let name = "rotation"

    /// Of the angle, counterclockwise as one looks at the picture.
    package var cosine, sine: Double
    /// The canvas grows or shrinks to the turned picture. Without it the canvas keeps its size and cuts the rest off.
    var fitsCanvas: Bool

    /// In pixels, rounded up.
    package func size(of source: PixelSize) -> PixelSize {
      guard fitsCanvas else { return source }
      let (cosine, sine) = (min(abs(cosine), 1), min(abs(sine), 1))
      let (width, height) = (Double(source.width), Double(source.height))
      // The noise of the arithmetic does not take another pixel. fits: no longer than both sides together.
      func side(_ length: Double) -> Int { max(1, Int((length - 1e-6).rounded(.up))) }
      return (side(width * cosine + height * sine), side(width * sine + height * cosine))
    }
  }
}
