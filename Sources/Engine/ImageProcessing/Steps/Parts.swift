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
    try picture.round(Self.part(of: (picture.width, picture.height)), border)
  }
}

extension RenderStep.WideCircle: DrawnStep {
  func draw(on picture: Picture, size: PixelSize) throws(RasterFailure) -> Raster {
    try picture.round(RenderStep.Circle.part(of: (picture.width, picture.height), isWidened: true), border)
  }
}

extension Picture {
  fileprivate func round(_ part: PixelPart, _ border: RenderStep.Border?) throws(RasterFailure) -> Raster {
    try with(image.cropped(part)).rounded(radius: Double(part.width) / 2, border: border)
  }
}
