import Rendering

extension RenderStep {
  /// Draws the step. The result may be lazy.
  func draw(on picture: Picture, _ context: StepContext) throws(RenderFailure) -> Picture {
    switch self {
    case .thumbnail(let thumbnail): try thumbnail.draw(on: picture, context)
    case .resize(let resize): try resize.draw(on: picture, context)
    case .circle(let border): try Circle(border: border).draw(on: picture, context)
    case .roundedCorners(let radius, let border):
      try RoundedCorners(radius: radius, border: border).draw(on: picture, context)
    case .gaussianBlur(let radius, let keepsOpaque):
      try GaussianBlur(radius: radius, keepsOpaque: keepsOpaque).draw(on: picture, context)
    }
  }

  /// Draws the picture anew at another size: reads it once and from top to bottom, and may be given
  /// fewer pixels or other colours than the picture has.
  var resamples: Bool {
    switch self {
    case .thumbnail, .resize: true
    case .circle, .roundedCorners, .gaussianBlur: false
    }
  }

  /// Draws on pixels as they are stored, too: through ``Picture/resampled(_:width:height:)``.
  var drawsTurned: Bool {
    switch self {
    case .thumbnail, .resize: true
    default: false
    }
  }
}
