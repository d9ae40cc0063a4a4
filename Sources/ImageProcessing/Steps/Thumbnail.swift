import Rendering

extension RenderStep.Thumbnail {
  func draw(on picture: Picture, _ context: StepContext) throws(RenderFailure) -> Picture {
    let size = try ThumbnailGeometry.size(size, width: picture.width, height: picture.height)
    try context.limits.check(width: size.width, height: size.height, of: "the result")
    let shown = picture.shown
    let all = PictureRegion(left: 0, top: 0, width: Double(shown.width), height: Double(shown.height))
    let image = try context.decoder.decoding { () throws(VipsFailure) in
      try picture.resampled(all, width: size.width, height: size.height)
    }
    return picture.with(image)
  }
}
