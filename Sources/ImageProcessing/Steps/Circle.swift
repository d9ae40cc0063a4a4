import Rendering

/// Crops to the centred square and rounds it.
struct Circle {
  var border: RenderStep.Border?

  func draw(on picture: Picture, _ context: StepContext) throws(RenderFailure) -> Picture {
    let image = picture.image
    let side = min(image.width, image.height)
    return picture.with(
      try context.decoder.decoding { () throws(VipsFailure) in
        try image
          .cropped(left: (image.width - side) / 2, top: (image.height - side) / 2, width: side, height: side)
          .rounded(radius: Double(side) / 2, border: border)
      })
  }
}
