import Rendering

extension RenderStep.Resizing {
  func draw(on picture: Picture, _ context: StepContext) throws(RenderFailure) -> Picture {
    let size = try ResizingGeometry.size(of: self, width: picture.width, height: picture.height)
    try context.limits.check(width: size.width, height: size.height, of: "the result")
    return try context.drawing(picture) { image throws(VipsFailure) in
      try image.resampled(
        left: 0, top: 0, regionWidth: Double(image.width), regionHeight: Double(image.height),
        width: size.width, height: size.height)
    }
  }
}
