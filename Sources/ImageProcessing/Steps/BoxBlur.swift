import Rendering

extension RenderStep.BoxBlur {
  func draw(on picture: Picture, _ context: StepContext) throws(RenderFailure) -> Picture {
    try context.drawing(picture) { image throws(VipsFailure) in
      let blurred = try image.boxBlurred(width: width, passes: passes)
      return keepsOpaque ? blurred : try blurred.addingAlpha()
    }
  }
}
