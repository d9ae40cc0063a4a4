import CVips
import Pictures

extension Raster {
  /// Does all pending work now.
  func inMemory() throws(RasterFailure) -> Raster {
    rowsOfCanvas == nil ? try .make { vips.copy_memory(handle, $0) } : self
  }

  /// Decodes to the last row and keeps nothing.
  func drain() throws(RasterFailure) { try Raster.check(vips.drain(handle)) }

  /// Turned and mirrored as an EXIF orientation says.
  func turned(_ orientation: Int) throws(RasterFailure) -> Raster {
    orientation == 1 ? self : try .make { vips.turn(handle, Int32(orientation), $0) }
  }

  /// 8 bit sRGB or grey, an embedded profile applied.
  func plain() throws(RasterFailure) -> Raster {
    isPlain ? self : try .make { vips.to_srgb(handle, $0) }
  }

  /// 8 bit in the picture's own colours where ``inOwnSpace()`` would take them, else plain.
  func eightBit() throws(RasterFailure) -> Raster { try .make { vips.to_8_bit(handle, $0) } }

  /// Grey or RGB with 8 bits, with or without alpha.
  func drawable() throws(RasterFailure) -> Raster {
    is8Bit && bands <= 4 && hasAlpha == (bands % 2 == 0) ? self : try eightBit()
  }

  /// The first bands alone.
  func keeping(bands: Int) throws(RasterFailure) -> Raster {
    try .make { vips.keep_bands(handle, Int32(bands), $0) }
  }

  func addingAlpha() throws(RasterFailure) -> Raster { try .make { vips.add_alpha(handle, $0) } }

  /// Alpha laid onto white.
  func flattened() throws(RasterFailure) -> Raster {
    hasAlpha ? try .make { vips.flatten(handle, $0) } : self
  }

  /// Drawn on a canvas as Core Graphics draws a bitmap, or as the placement says.
  func drawn(_ placement: Placement, reducesFirst: Bool = false) throws(RasterFailure) -> Raster {
    placement.drawing == .device
      ? try drawn([placement], reducesFirst: reducesFirst)[0] : try scaled(placement)
  }

  /// Drawn as Core Graphics does it on a canvas each, in one way through its rows.
  func drawn(_ placements: [Placement], reducesFirst: Bool = false) throws(RasterFailure) -> [Raster] {
    let pass = try DrawingPass(rowFormat, placements, reducesFirst: reducesFirst)
    try pass.take(self)
    return pass.canvases
  }

  private func scaled(_ placement: Placement) throws(RasterFailure) -> Raster {
    // fits: whole numbers within libvips' limits, as `Placement.drawn(by:)` has made them.
    var scaling = pv_scaling(
      left: Int32(placement.x), top: Int32(placement.y), width: Int32(placement.width),
      height: Int32(placement.height), canvas_width: Int32(placement.canvas.width),
      canvas_height: Int32(placement.canvas.height))
    return try .make { vips.scale(handle, &scaling, $0) }
  }

  var rowFormat: RowFormat {
    if let rowsOfCanvas { return rowsOfCanvas }
    var count = 0
    let profile = vips.image_profile(handle, &count)
    return RowFormat(
      width: width, height: height, bands: bands,
      profile: [UInt8](UnsafeRawBufferPointer(start: profile, count: profile == nil ? 0 : count)))
  }

  func cropped(_ part: PixelPart) throws(RasterFailure) -> Raster {
    try .make {
      vips.crop(handle, Int32(part.left), Int32(part.top), Int32(part.width), Int32(part.height), $0)
    }
  }
}

extension PictureSpace {
  /// A small profile of these colours, the same at all times; empty for sRGB, nil for what no colours can be.
  ///
  /// - Parameter isGrey: one for pictures of one band.
  func profile(isGrey: Bool) -> [UInt8]? {
    guard places.count == 8, curve.count == 5, places.allSatisfy((0...1).contains) else { return nil }
    var profile = [UInt8](repeating: 0, count: Int(PV_SMALL_PROFILE))
    let count = Int(vips.make_profile(places, curve, isGrey ? 1 : 0, &profile))
    return count < 0 ? nil : Array(profile.prefix(count))
  }
}

extension Raster {
  /// The same numbers with another profile, or with none.
  func meant(in profile: [UInt8]) throws(RasterFailure) -> Raster {
    try .make { vips.with_profile(handle, profile, profile.count, $0) }
  }

  /// A picture with 8 bits as it is, and a small profile of its space, empty for sRGB; nil for colours that are not RGB by a
  /// matrix and curves.
  func inOwnSpace() -> (image: Raster, profile: [UInt8])? {
    var profile = [UInt8](repeating: 0, count: Int(PV_SMALL_PROFILE))
    var count: Int32 = 0
    let image = try? Raster.make { vips.keep_space(handle, &profile, &count, $0) }
    return image.map { ($0, Array(profile.prefix(Int(count)))) }
  }

  /// Numbers that are meant in a small profile, converted.
  func inSRGB(_ profile: [UInt8]) throws(RasterFailure) -> Raster {
    profile.isEmpty ? self : try meant(in: profile).plain()
  }
}
