import Pictures

extension RenderStep.Cropping: DrawnStep {
  func draw(on picture: Picture, size: PixelSize) throws(RasterFailure) -> Raster {
    try picture.image.cropped(part(of: (picture.width, picture.height)))
  }
}

extension RenderStep.Region: DrawnStep {
  func draw(on picture: Picture, size: PixelSize) throws(RasterFailure) -> Raster {
    try picture.image.cropped(part(of: (picture.width, picture.height)))
  }
}

extension RenderStep.Circle: DrawnStep {
  func draw(on picture: Picture, size: PixelSize) throws(RasterFailure) -> Raster {
    let part = Self.part(of: (picture.width, picture.height))
    return try picture.with(picture.image.cropped(part)).rounded(
      radius: Double(part.width) / 2, border: border)
  }
}

extension RenderStep.WideCircle: DrawnStep {
  func draw(on picture: Picture, size: PixelSize) throws(RasterFailure) -> Raster {
    let part = RenderStep.Circle.part(of: (picture.width, picture.height), isWidened: true)
    return try picture.with(picture.image.cropped(part)).rounded(
      radius: Double(part.width) / 2, border: border)
  }
}
