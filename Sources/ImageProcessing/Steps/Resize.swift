import Rendering

extension RenderStep.Resize {
  func draw(on picture: Picture, _ context: StepContext) throws(RenderFailure) -> Picture {
    let geometry = try ResizeGeometry.result(of: self, width: picture.width, height: picture.height)
    guard case .drawn(let width, let height, let rect) = geometry else { return picture }
    try context.limits.check(width: width, height: height, of: "the result")
    // The part of the source that shows: the canvas seen from the rectangle the source is drawn in.
    let across = Double(picture.shown.width) / rect.width
    let down = Double(picture.shown.height) / rect.height
    let part = PictureRegion(
      left: -rect.x * across, top: -rect.top(onCanvasOfHeight: height) * down,
      width: Double(width) * across, height: Double(height) * down)
    let image = try context.decoder.decoding { () throws(VipsFailure) in
      try picture.resampled(part, width: width, height: height)
    }
    return picture.with(image)
  }
}
