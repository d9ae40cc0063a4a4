import Pictures

extension RenderStep.BoxBlur {
  package func draw(on picture: Picture, _ context: StepContext) throws(RenderFailure) -> Picture {
    try context.drawing(picture) { image throws(VipsFailure) in
      let blurred = try image.boxBlurred(width: width, passes: passes)
      return keepsOpaque ? blurred : try blurred.addingAlpha()
    }
  }
}

/// Blurs without growing; beyond the edges the picture goes on as at its edge.
package struct GaussianBlur {
  /// Sigma in pixels.
  package var radius: Double
  package var keepsOpaque: Bool

  /// Below this the bell lies within one pixel.
  private static let least = 0.1

  func draw(on picture: Picture, _ context: StepContext) throws(RenderFailure) -> Picture {
    picture.with(
      try context.decoder.decoding { () throws(VipsFailure) in
        let image = radius >= GaussianBlur.least ? try picture.image.blurred(sigma: radius) : picture.image
        return keepsOpaque ? image : try image.addingAlpha()
      })
  }
}
