import Rendering

extension RenderStep.Resize {
  func draw(on picture: Picture, _ context: StepContext) throws(RenderFailure) -> Picture {
    let geometry = try ResizeGeometry(self, width: picture.width, height: picture.height)
    guard case .drawn(let width, let height, let rect) = geometry else { return picture }
    try context.limits.checkSize(width: width, height: height)
    // The part of the source that shows: the canvas seen from the rectangle the source is drawn in.
    let across = Double(picture.image.width) / rect.width
    let down = Double(picture.image.height) / rect.height
    let image = try context.decoder.decoding { () throws(VipsFailure) in
      try picture.image.resampled(
        left: -rect.x * across, top: -rect.y * down, regionWidth: Double(width) * across,
        regionHeight: Double(height) * down, width: width, height: height)
    }
    return picture.with(image)
  }
}
