import CVips
import Pictures

extension VipsImage {
  /// Does all pending work now.
  func inMemory() throws(VipsFailure) -> VipsImage {
    try VipsImage.make { pv_copy_memory(handle, $0) }
  }

  /// Decodes to the last row and keeps nothing.
  func drain() throws(VipsFailure) {
    try VipsImage.check(pv_drain(handle))
  }

  /// As it is to be looked at: EXIF orientation applied and dropped.
  func upright() throws(VipsFailure) -> VipsImage { try turned(orientation) }

  /// Turned and mirrored as an EXIF orientation says.
  func turned(_ orientation: Int) throws(VipsFailure) -> VipsImage {
    orientation == 1 ? self : try VipsImage.make { pv_turn(handle, Int32(orientation), $0) }
  }

  /// Mirrored left to right, top to bottom, or both.
  func flipped(horizontal: Bool, vertical: Bool) throws(VipsFailure) -> VipsImage {
    switch (horizontal, vertical) {
    case (true, false): try turned(2)
    case (false, true): try turned(4)
    case (true, true): try turned(3)
    case (false, false): self
    }
  }

  /// Turned counterclockwise about its centre, on a transparent canvas around that.
  func rotated(
    cosine: Double, sine: Double, canvasWidth: Int, canvasHeight: Int
  ) throws(VipsFailure) -> VipsImage {
    let clear = try addingAlpha()
    return try VipsImage.make {
      pv_rotate(clear.handle, cosine, sine, Int32(canvasWidth), Int32(canvasHeight), $0)
    }
  }

  /// In the middle of a transparent canvas.
  func embedded(width: Int, height: Int) throws(VipsFailure) -> VipsImage {
    let clear = try addingAlpha()
    return try VipsImage.make { pv_embed(clear.handle, Int32(width), Int32(height), $0) }
  }

  /// 8 bit sRGB or grey, an embedded profile applied.
  func plain() throws(VipsFailure) -> VipsImage {
    isPlain ? self : try VipsImage.make { pv_to_srgb(handle, $0) }
  }

  /// The first bands alone.
  func keeping(bands: Int) throws(VipsFailure) -> VipsImage {
    try VipsImage.make { pv_keep_bands(handle, Int32(bands), $0) }
  }

  func addingAlpha() throws(VipsFailure) -> VipsImage {
    try VipsImage.make { pv_add_alpha(handle, $0) }
  }

  /// Alpha laid onto white.
  func flattened() throws(VipsFailure) -> VipsImage {
    hasAlpha ? try VipsImage.make { pv_flatten(handle, $0) } : self
  }

  /// The region, in pixels and fractions of them, drawn over exactly `width` x `height` pixels.
  func resampled(
    left: Double, top: Double, regionWidth: Double, regionHeight: Double, width: Int, height: Int
  ) throws(VipsFailure) -> VipsImage {
    try VipsImage.make {
      pv_resample(handle, left, top, regionWidth, regionHeight, Int32(width), Int32(height), $0)
    }
  }

  /// Test hook: in memory by one of the ways of the C room.
  func resampled(
    left: Double, top: Double, regionWidth: Double, regionHeight: Double, width: Int, height: Int,
    by way: Int32
  ) throws(VipsFailure) -> VipsImage {
    try VipsImage.make {
      pv_resample_by(handle, left, top, regionWidth, regionHeight, Int32(width), Int32(height), way, $0)
    }
  }

  /// Half as wide and half as high, by averages. For 8 bit images in memory.
  func halved() throws(VipsFailure) -> VipsImage {
    try VipsImage.make { pv_halve(handle, $0) }
  }

  func cropped(left: Int, top: Int, width: Int, height: Int) throws(VipsFailure) -> VipsImage {
    try VipsImage.make { pv_crop(handle, Int32(left), Int32(top), Int32(width), Int32(height), $0) }
  }

  func blurred(sigma: Double) throws(VipsFailure) -> VipsImage {
    try VipsImage.make { pv_blur(handle, sigma, $0) }
  }

  func rounded(radius: Double, border: RenderStep.Border?) throws(VipsFailure) -> VipsImage {
    guard let border else { return try VipsImage.make { pv_round(handle, radius, 0, nil, $0) } }
    let color = border.color
    let components = [color.red, color.green, color.blue, color.alpha].map { min(max($0, 0), 1) }
    return try VipsImage.make { pv_round(handle, radius, border.width, components, $0) }
  }
}
