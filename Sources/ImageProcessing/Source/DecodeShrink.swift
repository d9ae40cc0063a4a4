import Rendering

/// How many pixels a decoder may leave out. Depends on the source and the first step only, so that a
/// result's bytes do not depend on what else is asked for.
enum DecodeShrink {
  /// 1, 2, 4 or 8. At least a factor of two stays for the resampling filter, which is far better than
  /// the decoders' averaging.
  static func factor(for step: RenderStep?, of decoder: PictureDecoder) throws(RenderFailure) -> Int {
    guard decoder.header.format == .jpeg || decoder.header.format == .webp, let step else { return 1 }
    guard let scale = try scale(step, decoder.width, decoder.height) else { return 1 }
    return [8, 4, 2].first { Double($0) * 2 * scale <= 1 } ?? 1
  }

  /// Pixels of the result for one of the source, along the side with more of them.
  private static func scale(_ step: RenderStep, _ width: Int, _ height: Int) throws(RenderFailure) -> Double?
  {
    switch step {
    case .resize(let resize):
      guard case .drawn(_, _, let rect) = try ResizeGeometry(resize, width: width, height: height) else {
        return nil
      }
      return max(rect.width / Double(width), rect.height / Double(height))
    case .thumbnail(let thumbnail):
      let size = try ThumbnailGeometry(thumbnail, width: width, height: height)
      return max(Double(size.width) / Double(width), Double(size.height) / Double(height))
    case .circle, .roundedCorners, .gaussianBlur:
      return nil
    }
  }
}
