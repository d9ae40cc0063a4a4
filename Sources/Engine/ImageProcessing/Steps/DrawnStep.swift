import CVips
import Pictures

/// How libvips draws a step. The files in this folder have the names of those in `Pictures/Steps` with the values.
protocol DrawnStep: DrawingStep {
  /// The result may be lazy.
  ///
  /// - Parameters:
  ///   - picture: in memory, plain and upright; of a step with a placement, drawn in its place already.
  ///   - size: what ``DrawingStep/size(of:)`` made of the picture's.
  func draw(on picture: Picture, size: PixelSize) throws(RasterFailure) -> Raster
}

extension RenderStep {
  /// The picture where the step wants it; the rest is done by ``draw(on:of:)``.
  func place(
    _ picture: Picture, of decoder: PictureDecoder, limits: RenderLimits
  ) throws(RenderFailure) -> Picture {
    let source = (picture.width, picture.height)
    let size = try value.size(of: source)
    try limits.check(width: size.width, height: size.height, of: "the result")
    guard let placement = try value.placement(of: source) else { return picture }
    return picture.with(
      try decoder.decoding { () throws(RasterFailure) in try picture.image.drawn(placement).plain() })
  }

  /// Draws what does not depend on a place. The result may be lazy.
  func draw(on picture: Picture, of decoder: PictureDecoder) throws(RenderFailure) -> Picture {
    let value = picture.profile.isEmpty ? value : matched(to: picture.profile).value
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

extension RenderStep {
  /// With its colours, which are sRGB, as numbers of another space.
  fileprivate func matched(to profile: [UInt8]) -> RenderStep {
    switch value {
    case var step as Circle: return with(&step) { $0.border?.color.match(profile) }
    case var step as WideCircle: return with(&step) { $0.border?.color.match(profile) }
    case var step as RoundedCorners: return with(&step) { $0.border?.color.match(profile) }
    case var step as CornerRounding: return with(&step) { $0.background?.match(profile) }
    case var step as EdgeLine: return with(&step) { $0.color.match(profile) }
    case var step as Framing: return with(&step) { $0.line?.color.match(profile) }
    case var step as Overlay: return with(&step) { $0.color.match(profile) }
    case var step as Blend: return with(&step) { $0.background?.match(profile) }
    case var step as ColorBlend: return with(&step) { $0.color.match(profile) }
    default: return self
    }
  }

  private func with<Step: DrawingStep>(_ step: inout Step, _ change: (inout Step) -> Void) -> RenderStep {
    change(&step)
    return RenderStep(step)
  }
}

extension RenderStep.Color {
  fileprivate mutating func match(_ profile: [UInt8]) {
    var levels = components
    guard vips.match_color(profile, profile.count, &levels) == PV_OK.rawValue else { return }
    (red, green, blue) = (levels[0], levels[1], levels[2])
  }

  /// For the C room, limited to what it expects.
  var components: [Double] { [red, green, blue, alpha].map { min(max($0, 0), 1) } }
}
