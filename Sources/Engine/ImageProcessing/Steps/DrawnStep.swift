import Pictures

/// How libvips draws a step. The files in this folder have the names of those in `Pictures/Steps` with the values.
protocol DrawnStep: DrawingStep {
  /// The result may be lazy.
  ///
  /// - Parameters:
  ///   - picture: in memory and upright, unless the step's ``DrawingStep/input`` is rows.
  ///   - size: what ``DrawingStep/size(of:)`` makes of the picture's.
  func draw(on picture: Picture, size: PixelSize) throws(VipsFailure) -> VipsImage
}

extension RenderStep {
  /// Draws the step. The result may be lazy.
  func draw(
    on picture: Picture, of decoder: PictureDecoder, limits: RenderLimits
  ) throws(RenderFailure) -> Picture {
    guard let step = value as? any DrawnStep else {
      throw RenderFailure(.worker, "this preheat-render cannot draw the step \(name)")
    }
    let size = try step.size(of: (picture.width, picture.height))
    try limits.check(width: size.width, height: size.height, of: "the result")
    return picture.with(
      try decoder.decoding { () throws(VipsFailure) in try step.draw(on: picture, size: size) })
  }
}

extension RenderStep.Color {
  /// For the C room, limited to what it expects.
  var components: [Double] { [red, green, blue, alpha].map { min(max($0, 0), 1) } }
}
