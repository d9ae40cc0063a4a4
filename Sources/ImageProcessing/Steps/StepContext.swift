import Rendering

/// What a step may ask for beside its picture.
struct StepContext {
  let decoder: PictureDecoder
  let limits: RenderLimits

  /// Does all of a step's work on a picture, whose size is its image's.
  func drawing(
    _ picture: Picture, _ work: (VipsImage) throws(VipsFailure) -> VipsImage
  ) throws(RenderFailure) -> Picture {
    picture.with(try decoder.decoding { () throws(VipsFailure) in try work(picture.image) })
  }
}
