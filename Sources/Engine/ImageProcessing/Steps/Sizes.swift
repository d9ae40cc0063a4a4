import Pictures

// A placed step has nothing left to do when the picture is in its place.

extension RenderStep.Resize: DrawnStep {}
extension RenderStep.Thumbnail: DrawnStep {}
extension RenderStep.Resizing: DrawnStep {}
extension RenderStep.Letterbox: DrawnStep {}

extension DrawnStep {
  func draw(on picture: Picture, size: PixelSize) throws(RasterFailure) -> Raster { picture.image }
}
