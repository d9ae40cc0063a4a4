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

  /// What to draw from: the embedded thumbnail where it is allowed and good enough, or nil and a note
  /// for the full picture.
  ///
  /// - Throws: `.size` where only an embedded one would do and there is none.
  func source(_ context: StepContext) throws(RenderFailure) -> (picture: Picture?, note: String?) {
    if fromImageAlways { return (nil, nil) }
    let decoder = context.decoder
    let size = try ThumbnailGeometry.size(size, width: decoder.width, height: decoder.height)
    let search = try EmbeddedThumbnail.search(
      in: decoder, width: size.width, height: size.height, limits: context.limits)
    let reason: String
    switch search {
    case .found(let image):
      // The rest of the file has to be whole all the same.
      try decoder.prove()
      return (Picture(image, note: "drawn from the embedded thumbnail"), nil)
    case .absent: reason = "there is no embedded thumbnail"
    case .refused(let why): reason = "the embedded thumbnail was not used: \(why)"
    }
    guard fromImageIfAbsent else {
      throw RenderFailure(.size, "\(reason), and the request allows none from the full image")
    }
    return (nil, "drawn from the full image: \(reason)")
  }
}
