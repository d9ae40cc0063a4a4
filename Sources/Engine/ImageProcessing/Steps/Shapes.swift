import Pictures

/// Crops to the centred square and rounds it.
struct Circle {
  var border: RenderStep.Border?
  var isWidened = false

  func draw(on picture: Picture, _ context: StepContext) throws(RenderFailure) -> Picture {
    let image = picture.image
    let part = CircleGeometry.crop(width: image.width, height: image.height, isWidened: isWidened)
    return picture.with(
      try context.decoder.decoding { () throws(VipsFailure) in
        try image
          .cropped(left: part.left, top: part.top, width: part.width, height: part.height)
          .rounded(radius: Double(part.width) / 2, border: border)
      })
  }
}

extension RenderStep.CornerRounding {
  func draw(on picture: Picture, _ context: StepContext) throws(RenderFailure) -> Picture {
    let canvas = try target?.draw(on: picture, context) ?? picture
    let radius = radius.pixels(
      width: target.map { $0.width * $0.scale } ?? Double(canvas.width),
      height: target.map { $0.height * $0.scale } ?? Double(canvas.height))
    return try context.drawing(canvas) { image throws(VipsFailure) in
      // The resampling is lazy and may come before colour management, but clipping needs sRGB pixels.
      try image.plain().inMemory().clipped(radii: corners.radii(radius), background: background)
    }
  }
}

extension RenderStep.EdgeLine {
  func draw(on picture: Picture, _ context: StepContext) throws(RenderFailure) -> Picture {
    let outer = radius.pixels(width: Double(picture.width) - width, height: Double(picture.height) - width)
    // Kingfisher strokes the middle of the line; where that has no radius, its corners are square.
    let radii = corners.radii(outer > width / 2 ? outer : 0)
    guard width > 0 else { return picture }
    return try context.drawing(picture) { image throws(VipsFailure) in
      try image.edged(width: width, color: color, radii: radii)
    }
  }
}

extension RenderStep.Framing {
  func draw(on picture: Picture, _ context: StepContext) throws(RenderFailure) -> Picture {
    try context.drawing(picture) { image throws(VipsFailure) in
      let framed = try image.clipped(inset: inset, radii: corners.radii(radius), background: nil)
      guard let line else { return framed }
      return try framed.edged(
        inset: line.inset, width: line.width, color: line.color, radii: corners.radii(line.radius))
    }
  }
}

extension RenderStep.Radius {
  fileprivate func pixels(width: Double, height: Double) -> Double {
    switch self {
    case .pixels(let pixels): pixels
    case .widthFraction(let fraction): fraction * width
    case .heightFraction(let fraction): fraction * height
    }
  }
}

extension RenderStep.Corners {
  /// In the order of the C room: top left, top right, bottom left, bottom right.
  fileprivate func radii(_ radius: Double) -> [Double] {
    [RenderStep.Corners.topLeft, .topRight, .bottomLeft, .bottomRight].map { contains($0) ? radius : 0 }
  }
}

/// Rounds the corners of the whole picture; a radius beyond half its shorter side counts as that half.
struct RoundedCorners {
  var radius: Double
  var border: RenderStep.Border?

  func draw(on picture: Picture, _ context: StepContext) throws(RenderFailure) -> Picture {
    picture.with(
      try context.decoder.decoding { () throws(VipsFailure) in
        try picture.image.rounded(radius: radius, border: border)
      })
  }
}
