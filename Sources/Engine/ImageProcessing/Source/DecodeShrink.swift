import Pictures

/// How many pixels may be left out before the first step. Depends on the source and the first step only, so that a
/// result's bytes do not depend on what else is asked for.
enum DecodeShrink {
  /// What stays at least for the resampling filter. Decoders leave out the upper half of the frequencies,
  /// which is nearly what the filter does: at 1.2 the result is within 0.25 % of one from all pixels, 45 dB
  /// or more on photographs.
  private static let decoderReserve = 1.2
  /// Averages of two by two pixels are a worse filter, and so leave more to the better one.
  private static let halvingReserve = 1.5

  /// 1, 2, 4 or 8.
  static func factor(for step: RenderStep?, of decoder: PictureDecoder) throws(RenderFailure) -> Int {
    guard let step else { return 1 }
    guard let scale = try scale(step, decoder.width, decoder.height) else { return 1 }
    let most = decoder.canBeSmaller ? largest(width: decoder.width, height: decoder.height) : 1
    return [8, 4, 2].first { factor in
      let reserve = factor <= decoder.decoderShrink ? decoderReserve : halvingReserve
      return factor <= most && Double(factor) * reserve * scale <= 1
    } ?? 1
  }

  /// The most that a picture bears. libvips rounds a shrunken side down: on a small picture that would
  /// be much of it, and where nothing is left libvips aborts.
  static func largest(width: Int, height: Int) -> Int {
    let side = min(width, height)
    return [8, 4, 2].first { side >= $0 * leastSide } ?? 1
  }

  private static let leastSide = 8

  /// Pixels of the result for one of the source, along the side with more of them. Nil where the step draws
  /// on all pixels.
  static func scale(_ step: RenderStep, _ width: Int, _ height: Int) throws(RenderFailure) -> Double? {
    switch step {
    case .resize(let resize):
      guard case .drawn(_, _, let rect) = try ResizeGeometry.result(of: resize, width: width, height: height)
      else {
        return nil
      }
      return max(rect.width / Double(width), rect.height / Double(height))
    case .thumbnail(let thumbnail):
      let size = try ThumbnailGeometry.size(thumbnail.size, width: width, height: height)
      return max(Double(size.width) / Double(width), Double(size.height) / Double(height))
    case .resizing(let resizing): return try scale(resizing, width, height)
    case .cornerRounding(let rounding):
      return try rounding.target.map { target throws(RenderFailure) in try scale(target, width, height) }
    case .letterbox(let box):
      let size = try box.drawnSize(width: width, height: height)
      return max(Double(size.width) / Double(width), Double(size.height) / Double(height))
    case .circle, .wideCircle, .roundedCorners, .gaussianBlur, .boxBlur, .cropping, .edgeLine, .overlay,
      .tint, .colorControls, .blend, .colorBlend, .flip, .rotation, .region, .framing, .filter:
      return nil
    }
  }

  private static func scale(
    _ step: RenderStep.Resizing, _ width: Int, _ height: Int
  ) throws(RenderFailure) -> Double {
    let size = try ResizingGeometry.size(of: step, width: width, height: height)
    return max(Double(size.width) / Double(width), Double(size.height) / Double(height))
  }
}
