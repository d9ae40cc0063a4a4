import Rendering

/// Crops to the centred square and rounds it.
struct Circle {
  var border: RenderStep.Border?

  func draw(on picture: Picture, _ context: StepContext) throws(RenderFailure) -> Picture {
    let image = picture.image
    let (left, top, side) = CircleGeometry.crop(width: image.width, height: image.height)
    return picture.with(
      try context.decoder.decoding { () throws(VipsFailure) in
        try image
          .cropped(left: left, top: top, width: side, height: side)
          .rounded(radius: Double(side) / 2, border: border)
      })
  }
}
