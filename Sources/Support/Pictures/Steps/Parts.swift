/// A rectangle of pixels of a picture, counted from its upper left corner. Empty where nothing is left.
package struct PixelPart: Hashable, Sendable {
  package var left, top, width, height: Int
}

extension PixelPart {
  fileprivate init(_ across: Range<Int>, _ down: Range<Int>) {
    self.init(left: across.lowerBound, top: down.lowerBound, width: across.count, height: down.count)
  }

  /// - Throws: ``RenderFailure`` with the code `size` where nothing is left.
  fileprivate func size(orFail message: @autoclosure () -> String) throws(RenderFailure) -> PixelSize {
    guard min(width, height) > 0 else { throw RenderFailure(.size, message()) }
    return (width, height)
  }
}

extension RenderStep {
  package static func circle(border: Border?) -> RenderStep { RenderStep(Circle(border: border)) }
  package static func wideCircle(border: Border?) -> RenderStep { RenderStep(WideCircle(border: border)) }

  package static func cropping(
    width: Double, height: Double, anchorX: Double, anchorY: Double, scale: Double
  ) -> RenderStep {
    RenderStep(Cropping(width: width, height: height, anchorX: anchorX, anchorY: anchorY, scale: scale))
  }

  package static func region(left: Double, top: Double, width: Double, height: Double) -> RenderStep {
    RenderStep(Region(left: left, top: top, width: width, height: height))
  }

  /// A part of the picture, in points.
  ///
  /// It is what Kingfisher's `CroppingImageProcessor` cuts out (5.0.0 to 8.11.0): placed in points, limited to the picture,
  /// scaled, and widened to whole pixels as `CGImage.cropping(to:)` does.
  package struct Cropping: DrawingStep {
    package static let name = "cropping"

    var width, height: Double
    /// Where the part lies: (0, 0) is the top left, (1, 1) the bottom right.
    var anchorX, anchorY: Double
    /// Pixels for a point.
    var scale: Double

    package var isNothing: Bool { min(width, height) <= 0 }

    package func size(of source: PixelSize) throws(RenderFailure) -> PixelSize {
      try part(of: source).size(
        orFail:
          "cropping \(source.width) x \(source.height) pixels to \(width) x \(height) points leaves nothing")
    }

    package func part(of source: PixelSize) -> PixelPart {
      PixelPart(
        range(width, anchor: anchorX, side: source.width), range(height, anchor: anchorY, side: source.height)
      )
    }

    private func range(_ length: Double, anchor: Double, side: Int) -> Range<Int> {
      guard length.isFinite, anchor.isFinite, length > 0 else { return 0..<0 }
      let whole = Double(side) / scale
      let anchor = min(max(anchor, 0), 1)
      let start = anchor * whole - anchor * length
      let from = max(start, 0)
      let to = min(start + length, whole)
      guard to > from else { return 0..<0 }
      // A rounding error must not take another row of pixels.
      // fits: both lie in the picture.
      let first = max(Int((from * scale + 1e-6).rounded(.down)), 0)
      let last = min(Int((to * scale - 1e-6).rounded(.up)), side)
      return last > first ? first..<last : 0..<0
    }
  }

  /// A rectangle of the picture, in pixels from its top left corner. What lies outside the picture does not count.
  package struct Region: DrawingStep {
    package static let name = "region"

    var left, top, width, height: Double

    package var isNothing: Bool { min(width, height) <= 0 }

    package func size(of source: PixelSize) throws(RenderFailure) -> PixelSize {
      try part(of: source).size(
        orFail: "the rectangle at (\(left), \(top)) of \(width) x \(height) pixels leaves nothing of "
          + "\(source.width) x \(source.height) pixels")
    }

    /// The whole pixels that it touches, as `CGImage.cropping(to:)` takes them.
    package func part(of source: PixelSize) -> PixelPart {
      PixelPart(Self.range(left, width, side: source.width), Self.range(top, height, side: source.height))
    }

    private static func range(_ start: Double, _ length: Double, side: Int) -> Range<Int> {
      guard start.isFinite, length.isFinite, length > 0 else { return 0..<0 }
      let from = max(start, 0).rounded(.down)
      let to = min(start + length, Double(side)).rounded(.up)
      // fits: both lie in the picture.
      return from < to ? Int(from)..<Int(to) : 0..<0
    }
  }

  /// Crops to the centred square and rounds it. Always yields alpha.
  package struct Circle: DrawingStep {
    package static let name = "circle"
    package static let isWrapped = false

    package var border: Border?

    package func size(of source: PixelSize) -> PixelSize {
      let part = Self.part(of: source)
      return (part.width, part.height)
    }

    /// In whole pixels; an odd rest goes to the right and the bottom (Nuke 12.1.1 and later take the floor).
    ///
    /// - Parameter isWidened: the square's half pixels are cut out whole, as `CGImage.cropping(to:)` does before 12.1.1: with
    ///   an odd rest one side has a pixel more.
    package static func part(of source: PixelSize, isWidened: Bool = false) -> PixelPart {
      let side = min(source.width, source.height)
      let (right, bottom) = (source.width - side, source.height - side)
      let (across, down) = isWidened ? (right % 2, bottom % 2) : (0, 0)
      return PixelPart(left: right / 2, top: bottom / 2, width: side + across, height: side + down)
    }
  }

  /// The same, but where the sides differ by an odd number one of them keeps a pixel more than the other.
  package struct WideCircle: DrawingStep {
    package static let name = "wideCircle"
    package static let isWrapped = false

    package var border: Border?

    package func size(of source: PixelSize) -> PixelSize {
      let part = Circle.part(of: source, isWidened: true)
      return (part.width, part.height)
    }
  }
}
