import CVips
import Pictures

extension VipsImage {
  /// Does all pending work now.
  func inMemory() throws(VipsFailure) -> VipsImage { try .make { pv_copy_memory(handle, $0) } }

  /// Decodes to the last row and keeps nothing.
  func drain() throws(VipsFailure) { try VipsImage.check(pv_drain(handle)) }

  /// EXIF orientation applied and dropped.
  func upright() throws(VipsFailure) -> VipsImage { try turned(orientation) }

  /// Turned and mirrored as an EXIF orientation says.
  func turned(_ orientation: Int) throws(VipsFailure) -> VipsImage {
    orientation == 1 ? self : try .make { pv_turn(handle, Int32(orientation), $0) }
  }

  /// 8 bit sRGB or grey, an embedded profile applied.
  func plain() throws(VipsFailure) -> VipsImage {
    isPlain ? self : try .make { pv_to_srgb(handle, $0) }
  }

  /// The first bands alone.
  func keeping(bands: Int) throws(VipsFailure) -> VipsImage {
    try .make { pv_keep_bands(handle, Int32(bands), $0) }
  }

  func addingAlpha() throws(VipsFailure) -> VipsImage { try .make { pv_add_alpha(handle, $0) } }

  /// Alpha laid onto white.
  func flattened() throws(VipsFailure) -> VipsImage {
    hasAlpha ? try .make { pv_flatten(handle, $0) } : self
  }

  /// The region drawn over exactly the pixels of a size.
  func resampled(_ part: PictureRegion, to size: PixelSize) throws(VipsFailure) -> VipsImage {
    try .make {
      pv_resample(
        handle, part.left, part.top, part.width, part.height, Int32(size.width), Int32(size.height), $0)
    }
  }

  /// Test hook: in memory by one of the ways of the C room.
  func resampled(_ part: PictureRegion, to size: PixelSize, by way: Int32) throws(VipsFailure) -> VipsImage {
    try .make {
      pv_resample_by(
        handle, part.left, part.top, part.width, part.height, Int32(size.width), Int32(size.height), way, $0)
    }
  }

  /// Half as wide and half as high, by averages. For 8 bit images in memory.
  func halved() throws(VipsFailure) -> VipsImage { try .make { pv_halve(handle, $0) } }

  func cropped(_ part: PixelPart) throws(VipsFailure) -> VipsImage {
    try .make {
      pv_crop(handle, Int32(part.left), Int32(part.top), Int32(part.width), Int32(part.height), $0)
    }
  }
}
