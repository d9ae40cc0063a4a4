import Pictures

/// Whether a chain is drawn from the embedded thumbnail, and why.
struct EmbeddedStart {
  let context: StepContext

  private enum Rule {
    case full, prefer, only
  }

  /// What to draw from: the embedded thumbnail where it is allowed and good enough, or nil and a note
  /// for the full picture.
  ///
  /// - Throws: ``RenderFailure`` with the code `size` where only an embedded one would do and there is none;
  ///   `truncated` where the rest of the file is needed.
  func picture(
    for first: RenderStep?, _ use: EmbeddedUse
  ) throws(RenderFailure) -> (picture: Picture?, note: String?) {
    let rule = rule(first, use)
    let decoder = context.decoder
    guard rule != .full else {
      try requireRest()
      return (nil, nil)
    }
    guard let first, first.resamples else {
      try requireRest()
      guard rule == .only else { return (nil, nil) }
      throw RenderFailure(
        .size,
        "only a chain that begins with a thumbnail or a resize can be drawn from the embedded thumbnail")
    }
    let reason: String
    let scale = try DecodeShrink.scale(first, decoder.width, decoder.height) ?? 1
    switch try EmbeddedThumbnail.search(in: decoder, scale: scale, limits: context.limits) {
    case .found(let image):
      // The rest of the file has to be there all the same, unless it was left out on purpose.
      if !decoder.isHead { try decoder.requireWhole() }
      let picture = Picture(
        image, width: decoder.width, height: decoder.height, note: "drawn from the embedded thumbnail")
      return (picture, nil)
    case .absent:
      // It may stand farther back.
      try requireRest()
      reason = "there is no embedded thumbnail"
    case .refused(let why): reason = "the embedded thumbnail was not used: \(why)"
    }
    guard rule == .prefer else {
      throw RenderFailure(.size, "\(reason), and the request allows none from the full image")
    }
    try requireRest()
    return (nil, "drawn from the full image: \(reason)")
  }

  /// What the request's flags mean to ImageIO: `kCGImageSourceCreateThumbnailFromImageAlways` and
  /// `kCGImageSourceCreateThumbnailFromImageIfAbsent`.
  private func rule(_ first: RenderStep?, _ use: EmbeddedUse) -> Rule {
    switch use {
    case .never: return .full
    case .prefer: return .prefer
    case .only: return .only
    case .client:
      guard case .thumbnail(let thumbnail) = first, !thumbnail.fromImageAlways else { return .full }
      return thumbnail.fromImageIfAbsent ? .prefer : .only
    }
  }

  private func requireRest() throws(RenderFailure) {
    if context.decoder.isHead {
      throw RenderFailure(.truncated, "only the head of the file is here, and the rest is needed")
    }
  }
}
