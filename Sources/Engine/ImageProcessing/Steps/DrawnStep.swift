import CVips
import Pictures

/// How libvips draws a step. The other files in this folder have the names of those in `Pictures/Steps` with the values.
protocol DrawnStep: DrawingStep {
  /// The result may be lazy.
  ///
  /// - Parameters:
  ///   - picture: in memory, plain and upright; of a step with a placement, drawn in its place already.
  ///   - size: what ``DrawingStep/size(of:)`` made of the picture's.
  func draw(on picture: Picture, size: PixelSize) throws(RasterFailure) -> Raster
}

// A placed step has nothing left to do when the picture is in its place.

extension RenderStep.Resize: DrawnStep {}
extension RenderStep.Thumbnail: DrawnStep {}
extension RenderStep.Resizing: DrawnStep {}
extension RenderStep.Letterbox: DrawnStep {}

extension DrawnStep {
  func draw(on picture: Picture, size: PixelSize) throws(RasterFailure) -> Raster { picture.image }
}

extension RenderStep {
  /// The picture where the step wants it; the rest is done by ``draw(on:of:)``.
  func place(
    _ picture: Picture, of decoder: PictureDecoder, limits: RenderLimits, by drawing: Drawing?
  ) throws(RenderFailure) -> Picture {
    let source = (picture.width, picture.height)
    let size = try value.size(of: source)
    try limits.check(width: size.width, height: size.height, of: "the result")
    guard let placement = try value.placement(of: source)?.drawn(by: drawing ?? .device) else {
      return picture
    }
    return picture.with(
      try decoder.decoding { () throws(RasterFailure) in try picture.image.drawn(placement).plain() })
  }

  /// Draws what does not depend on a place. The result may be lazy.
  func draw(on picture: Picture, of decoder: PictureDecoder) throws(RenderFailure) -> Picture {
    guard let step = value as? any DrawnStep else {
      throw RenderFailure(.worker, "this preheat-render cannot draw the step \(name)")
    }
    let size =
      step.isPlaced ? (picture.width, picture.height) : try step.size(of: (picture.width, picture.height))
    let orientation = step.keepsStoredPixels ? decoder.info?.orientation ?? 1 : 1
    return picture.with(
      try decoder.decoding { () throws(RasterFailure) in
        let drawn = try step.draw(on: picture, size: size)
        // Quarter turns are undone by each other, all else by itself.
        return try drawn.turned([6: 8, 8: 6][orientation] ?? orientation)
      })
  }
}

extension Picture {
  /// What the C room takes of a colour, limited to what it expects. Colours are sRGB; a picture in another space gets its
  /// numbers there. No step has another way to them, so that none forgets it.
  func components(_ color: RenderStep.Color) -> [Double] {
    var levels = [color.red, color.green, color.blue, color.alpha].map { min(max($0, 0), 1) }
    // Where a profile cannot be read the numbers stay.
    if !profile.isEmpty { _ = vips.match_color(profile, profile.count, &levels) }
    return levels
  }
}
