import CVips
import Pictures

extension RenderStep.Flip: DrawnStep {
  func draw(on picture: Picture, size: PixelSize) throws(RasterFailure) -> Raster {
    // The EXIF orientation that mirrors so.
    let orientation = horizontal ? vertical ? 3 : 2 : vertical ? 4 : 1
    return try picture.image.inMemory().turned(orientation)
  }
}

extension RenderStep.Rotation: DrawnStep {
  func draw(on picture: Picture, size: PixelSize) throws(RasterFailure) -> Raster {
    let clear = try picture.image.addingAlpha()
    return try Raster.make {
      vips.rotate(clear.handle, cosine, sine, Int32(size.width), Int32(size.height), $0)
    }
  }
}
