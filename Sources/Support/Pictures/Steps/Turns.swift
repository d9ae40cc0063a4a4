extension RenderStep {
  package static func rotation(_ step: Rotation) -> RenderStep { RenderStep(step) }

  package static func flip(horizontal: Bool, vertical: Bool) -> RenderStep {
    RenderStep(Flip(horizontal: horizontal, vertical: vertical))
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

    package init(cosine: Double, sine: Double, fitsCanvas: Bool) {
      self.cosine = cosine
      self.sine = sine
      self.fitsCanvas = fitsCanvas
    }

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
