import Rendering

/// Rounds the corners of the whole picture; a radius beyond half its shorter side counts as that half.
struct RoundedCorners {
  var radius: Double
  var border: RenderStep.Border?

  func draw(on picture: Picture, _ context: StepContext) throws(RenderFailure) -> Picture {
    picture.with(
      try context.decoder.decoding { () throws(VipsFailure) in
        try picture.image.rounded(radius: radius, border: border)
      })
  }
}
