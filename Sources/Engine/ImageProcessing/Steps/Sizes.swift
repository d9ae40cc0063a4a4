import Pictures

extension RenderStep.Cropping {
  func draw(on picture: Picture, _ context: StepContext) throws(RenderFailure) -> Picture {
    let part = try CroppingGeometry.part(of: self, width: picture.width, height: picture.height)
    return try context.drawing(picture) { image throws(VipsFailure) in
      try image.cropped(left: part.left, top: part.top, width: part.width, height: part.height)
    }
  }
}

extension RenderStep.Region {
  func draw(on picture: Picture, _ context: StepContext) throws(RenderFailure) -> Picture {
    let part = try part(width: picture.width, height: picture.height)
    return try context.drawing(picture) { image throws(VipsFailure) in
      try image.cropped(left: part.left, top: part.top, width: part.width, height: part.height)
    }
  }
}

extension RenderStep.Letterbox {
  func draw(on picture: Picture, _ context: StepContext) throws(RenderFailure) -> Picture {
    let canvas = try canvas()
    try context.limits.check(width: canvas.width, height: canvas.height, of: "the result")
    let size = try drawnSize(width: picture.width, height: picture.height)
    return try context.drawing(picture) { image throws(VipsFailure) in
      let drawn = try image.resampled(
        left: 0, top: 0, regionWidth: Double(image.width), regionHeight: Double(image.height),
        width: size.width, height: size.height)
      if size == canvas { return drawn }
      // The resampling is lazy and may come before colour management, but transparency needs sRGB pixels.
      return try drawn.plain().embedded(width: canvas.width, height: canvas.height)
    }
  }
}

extension RenderStep.Rotation {
  func draw(on picture: Picture, _ context: StepContext) throws(RenderFailure) -> Picture {
    let canvas = canvas(width: picture.width, height: picture.height)
    try context.limits.check(width: canvas.width, height: canvas.height, of: "the result")
    return try context.drawing(picture) { image throws(VipsFailure) in
      try image.rotated(
        cosine: cosine, sine: sine, canvasWidth: canvas.width, canvasHeight: canvas.height)
    }
  }
}

extension RenderStep.Resize {
  func draw(on picture: Picture, _ context: StepContext) throws(RenderFailure) -> Picture {
    let geometry = try ResizeGeometry.result(of: self, width: picture.width, height: picture.height)
    guard case .drawn(let width, let height, let rect) = geometry else { return picture }
    try context.limits.check(width: width, height: height, of: "the result")
    // The part of the source that shows: the canvas seen from the rectangle the source is drawn in.
    let across = Double(picture.shown.width) / rect.width
    let down = Double(picture.shown.height) / rect.height
    let part = PictureRegion(
      left: -rect.x * across, top: -rect.top(onCanvasOfHeight: height) * down,
      width: Double(width) * across, height: Double(height) * down)
    let image = try context.decoder.decoding { () throws(VipsFailure) in
      try picture.resampled(part, width: width, height: height)
    }
    return picture.with(image)
  }
}

extension RenderStep.Resizing {
  func draw(on picture: Picture, _ context: StepContext) throws(RenderFailure) -> Picture {
    let size = try ResizingGeometry.size(of: self, width: picture.width, height: picture.height)
    try context.limits.check(width: size.width, height: size.height, of: "the result")
    return try context.drawing(picture) { image throws(VipsFailure) in
      try image.resampled(
        left: 0, top: 0, regionWidth: Double(image.width), regionHeight: Double(image.height),
        width: size.width, height: size.height)
    }
  }
}

extension RenderStep.Thumbnail {
  func draw(on picture: Picture, _ context: StepContext) throws(RenderFailure) -> Picture {
    let size = try ThumbnailGeometry.size(size, width: picture.width, height: picture.height)
    try context.limits.check(width: size.width, height: size.height, of: "the result")
    let shown = picture.shown
    let all = PictureRegion(left: 0, top: 0, width: Double(shown.width), height: Double(shown.height))
    let image = try context.decoder.decoding { () throws(VipsFailure) in
      try picture.resampled(all, width: size.width, height: size.height)
    }
    return picture.with(image)
  }
}
