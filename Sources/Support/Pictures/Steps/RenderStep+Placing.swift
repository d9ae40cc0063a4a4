extension RenderStep {
  /// The picture turned about its centre; what it does not cover is transparent.
  package struct Rotation: Codable, Hashable, Sendable {
    /// Of the angle, counterclockwise as one looks at the picture.
    package var cosine, sine: Double
    /// The canvas grows or shrinks to the turned picture. Without it the canvas keeps its size and cuts the rest off.
    package var fitsCanvas: Bool

    package init(cosine: Double, sine: Double, fitsCanvas: Bool) {
      self.cosine = cosine
      self.sine = sine
      self.fitsCanvas = fitsCanvas
    }

    /// The canvas for a picture of `width` x `height` pixels: whole pixels, rounded up.
    package func canvas(width: Int, height: Int) -> (width: Int, height: Int) {
      guard fitsCanvas else { return (width, height) }
      let (cosine, sine) = (min(abs(cosine), 1), min(abs(sine), 1))
      // The noise of the arithmetic does not take another pixel. fits: no longer than both sides together.
      func side(_ length: Double) -> Int { max(1, Int((length - 1e-6).rounded(.up))) }
      return (
        side(Double(width) * cosine + Double(height) * sine),
        side(Double(width) * sine + Double(height) * cosine)
      )
    }
  }

  /// A rectangle of the picture, in pixels from its top left corner. What lies outside the picture does not count.
  package struct Region: Codable, Hashable, Sendable {
    package var left, top, width, height: Double

    package init(left: Double, top: Double, width: Double, height: Double) {
      self.left = left
      self.top = top
      self.width = width
      self.height = height
    }

    /// The whole pixels that it touches, as `CGImage.cropping(to:)` takes them.
    ///
    /// - Throws: ``RenderFailure`` with the code `size` where it does not meet the picture.
    package func part(width: Int, height: Int) throws(RenderFailure) -> CroppingGeometry.Part {
      guard let across = Self.range(left, self.width, side: width),
        let down = Self.range(top, self.height, side: height)
      else {
        throw RenderFailure(
          .size,
          "the rectangle at (\(left), \(top)) of \(self.width) x \(self.height) pixels leaves nothing of "
            + "\(width) x \(height) pixels")
      }
      return CroppingGeometry.Part(
        left: across.lowerBound, top: down.lowerBound, width: across.count, height: down.count)
    }

    private static func range(_ start: Double, _ length: Double, side: Int) -> Range<Int>? {
      guard start.isFinite, length.isFinite, length > 0 else { return nil }
      let from = max(start, 0).rounded(.down)
      let to = min(start + length, Double(side)).rounded(.up)
      // fits: both lie in the picture.
      return from < to ? Int(from)..<Int(to) : nil
    }
  }

  /// A canvas in pixels, rounded up, that the picture fits into.
  package struct Letterbox: Codable, Hashable, Sendable {
    package var width, height: Double

    package init(width: Double, height: Double) {
      self.width = width
      self.height = height
    }

    /// - Throws: ``RenderFailure`` with the code `size` where a side comes to nothing.
    package func canvas() throws(RenderFailure) -> (width: Int, height: Int) {
      func side(_ length: Double) -> Int? {
        let whole = (length - 1e-6).rounded(.up)
        return whole >= 1 && whole <= ResizeGeometry.longestSide ? Int(whole) : nil
      }
      guard let across = side(width), let down = side(height) else {
        throw RenderFailure(.size, "there is no canvas of \(width) x \(height) pixels")
      }
      return (across, down)
    }

    /// What a picture of `width` x `height` pixels is drawn at.
    ///
    /// - Throws: as ``canvas()``.
    package func drawnSize(width: Int, height: Int) throws(RenderFailure) -> (width: Int, height: Int) {
      let canvas = try canvas()
      let factor = min(self.width / Double(width), self.height / Double(height))
      // fits: no longer than the canvas.
      func side(_ length: Int, _ limit: Int) -> Int {
        min(max(1, Int((Double(length) * factor).rounded(.toNearestOrAwayFromZero))), limit)
      }
      return (side(width, canvas.width), side(height, canvas.height))
    }
  }

  /// A rounded rectangle at the same distance from all edges; what lies outside is transparent. All lengths are pixels.
  package struct Framing: Codable, Hashable, Sendable {
    package var inset: Double
    package var radius: Double
    package var corners: Corners
    package var line: Line?

    /// A line that covers picture and margin.
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

    package init(inset: Double, radius: Double, corners: Corners, line: Line?) {
      self.inset = inset
      self.radius = radius
      self.corners = corners
      self.line = line
    }
  }
}
