import Rendering

extension RenderStep.Cropping {
  func draw(on picture: Picture, _ context: StepContext) throws(RenderFailure) -> Picture {
    let part = try CroppingGeometry.part(of: self, width: picture.width, height: picture.height)
    return try context.drawing(picture) { image throws(VipsFailure) in
      try image.cropped(left: part.left, top: part.top, width: part.width, height: part.height)
    }
  }
}
