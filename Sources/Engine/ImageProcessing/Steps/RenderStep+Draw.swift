import Pictures

extension RenderStep {
  /// Draws the step. The result may be lazy.
  func draw(on picture: Picture, _ context: StepContext) throws(RenderFailure) -> Picture {
    switch self {
    case .thumbnail(let thumbnail): try thumbnail.draw(on: picture, context)
    case .resize(let resize): try resize.draw(on: picture, context)
    case .circle(let border): try Circle(border: border).draw(on: picture, context)
    case .wideCircle(let border): try Circle(border: border, isWidened: true).draw(on: picture, context)
    case .roundedCorners(let radius, let border):
      try RoundedCorners(radius: radius, border: border).draw(on: picture, context)
    case .gaussianBlur(let radius, let keepsOpaque):
      try GaussianBlur(radius: radius, keepsOpaque: keepsOpaque).draw(on: picture, context)
    case .boxBlur(let blur): try blur.draw(on: picture, context)
    case .resizing(let resizing): try resizing.draw(on: picture, context)
    case .cropping(let cropping): try cropping.draw(on: picture, context)
    case .cornerRounding(let rounding): try rounding.draw(on: picture, context)
    case .edgeLine(let line): try line.draw(on: picture, context)
    case .overlay(let color, let fraction):
      try context.drawing(picture) { image throws(VipsFailure) in
        try image.overlaid(with: color, fraction: fraction)
      }
    case .tint(let color):
      try context.drawing(picture) { image throws(VipsFailure) in try image.tinted(with: color) }
    case .colorControls(let controls):
      try context.drawing(picture) { image throws(VipsFailure) in try image.adjusted(by: controls) }
    case .blend(let blend):
      try context.drawing(picture) { image throws(VipsFailure) in try image.blended(by: blend) }
    case .colorBlend(let blend):
      try context.drawing(picture) { image throws(VipsFailure) in try image.blended(by: blend) }
    case .flip(let horizontal, let vertical):
      try context.drawing(picture) { image throws(VipsFailure) in
        try image.inMemory().flipped(horizontal: horizontal, vertical: vertical)
      }
    case .rotation(let rotation): try rotation.draw(on: picture, context)
    case .region(let region): try region.draw(on: picture, context)
    case .letterbox(let box): try box.draw(on: picture, context)
    case .framing(let framing): try framing.draw(on: picture, context)
    case .filter(let filter):
      try context.drawing(picture) { image throws(VipsFailure) in try image.filtered(by: filter) }
    }
  }

  /// Draws the picture anew at another size: reads it once and from top to bottom, and may be given
  /// fewer pixels or other colours than the picture has.
  var resamples: Bool {
    switch self {
    case .thumbnail, .resize, .resizing, .letterbox: true
    case .cornerRounding(let rounding): rounding.target != nil
    case .circle, .wideCircle, .roundedCorners, .gaussianBlur, .boxBlur, .cropping, .edgeLine, .overlay,
      .tint, .colorControls, .blend, .colorBlend, .flip, .rotation, .region, .framing, .filter:
      false
    }
  }

  /// Draws on pixels as they are stored, too: through ``Picture/resampled(_:width:height:)``.
  var drawsTurned: Bool {
    switch self {
    case .thumbnail, .resize: true
    default: false
    }
  }
}

/// What a step may ask for beside its picture.
struct StepContext {
  let decoder: PictureDecoder
  let limits: RenderLimits

  /// Does all of a step's work on a picture, whose size is its image's.
  func drawing(
    _ picture: Picture, _ work: (VipsImage) throws(VipsFailure) -> VipsImage
  ) throws(RenderFailure) -> Picture {
    picture.with(try decoder.decoding { () throws(VipsFailure) in try work(picture.image) })
  }
}

extension RenderStep.BoxBlur {
  func draw(on picture: Picture, _ context: StepContext) throws(RenderFailure) -> Picture {
    try context.drawing(picture) { image throws(VipsFailure) in
      let blurred = try image.boxBlurred(width: width, passes: passes)
      return keepsOpaque ? blurred : try blurred.addingAlpha()
    }
  }
}

/// Blurs without growing; beyond the edges the picture goes on as at its edge.
struct GaussianBlur {
  /// Sigma in pixels.
  var radius: Double
  var keepsOpaque: Bool

  /// Below this the bell lies within one pixel.
  private static let least = 0.1

  func draw(on picture: Picture, _ context: StepContext) throws(RenderFailure) -> Picture {
    picture.with(
      try context.decoder.decoding { () throws(VipsFailure) in
        let image = radius >= GaussianBlur.least ? try picture.image.blurred(sigma: radius) : picture.image
        return keepsOpaque ? image : try image.addingAlpha()
      })
  }
}
