import CVips
import Pictures

extension RenderStep.Resize: DrawnStep {
  func draw(on picture: Picture, size: PixelSize) throws(VipsFailure) -> VipsImage {
    guard let layout = layout(of: (picture.width, picture.height)) else { return try picture.upright().image }
    // The part of the source that shows: the canvas seen from the rectangle the source is drawn in.
    let across = Double(picture.shown.width) / layout.width
    let down = Double(picture.shown.height) / layout.height
    let part = PictureRegion(
      left: -layout.x * across, top: -layout.top(onCanvasOfHeight: size.height) * down,
      width: Double(size.width) * across, height: Double(size.height) * down)
    return try picture.resampled(part, to: size)
  }
}

extension RenderStep.Thumbnail: DrawnStep {
  func draw(on picture: Picture, size: PixelSize) throws(VipsFailure) -> VipsImage {
    try picture.resampled(PictureRegion(all: picture.shown), to: size)
  }
}

extension RenderStep.Resizing: DrawnStep {
  func draw(on picture: Picture, size: PixelSize) throws(VipsFailure) -> VipsImage {
    try picture.resampled(PictureRegion(all: picture.shown), to: size)
  }
}

extension RenderStep.Letterbox: DrawnStep {
  func draw(on picture: Picture, size: PixelSize) throws(VipsFailure) -> VipsImage {
    let drawnSize = drawnSize(of: (picture.width, picture.height), on: size)
    let drawn = try picture.resampled(PictureRegion(all: picture.shown), to: drawnSize)
    if drawnSize == size { return drawn }
    // The resampling is lazy and may come before colour management, but transparency needs sRGB pixels.
    let clear = try drawn.plain().addingAlpha()
    return try VipsImage.make { pv_embed(clear.handle, Int32(size.width), Int32(size.height), $0) }
  }
}
