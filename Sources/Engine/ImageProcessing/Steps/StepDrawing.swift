import CVips
import Pictures

/// How libvips draws the values in `Pictures/Steps`.
extension RenderStep {
  /// The result may be lazy.
  ///
  /// - Parameters:
  ///   - picture: in memory, plain and upright; of a step with a placement, drawn in its place already.
  ///   - size: what ``DrawingStep/size(of:)`` made of the picture's.
  /// - Returns: nil for a step that is not known here.
  func draw(on picture: Picture, size: PixelSize) throws(RasterFailure) -> Raster? {
    let (image, source) = (picture.image, (picture.width, picture.height))
    switch value {
    // Nothing is left to do when the picture is in its place.
    case is Resize, is Thumbnail, is Resizing, is Letterbox: return image
    case let step as Cropping: return try image.cropped(step.part(of: source))
    case let step as Region: return try image.cropped(step.part(of: source))
    case let step as Circle: return try picture.round(Circle.part(of: source), step.border)
    case let step as WideCircle:
      return try picture.round(Circle.part(of: source, isWidened: true), step.border)
    case let step as RoundedCorners: return try picture.rounded(radius: step.radius, border: step.border)
    case let step as CornerRounding:
      let radius = step.radius.pixels(
        width: step.target.map { $0.width * $0.scale } ?? Double(size.width),
        height: step.target.map { $0.height * $0.scale } ?? Double(size.height))
      return try picture.clipped(radii: step.corners.radii(radius), background: step.background)
    case let step as EdgeLine:
      guard step.width > 0 else { return image }
      let outer = step.radius.pixels(
        width: Double(size.width) - step.width, height: Double(size.height) - step.width)
      return try picture.edged(
        .continuous, inset: step.width / 2, width: step.width, color: step.color,
        radii: step.corners.radii(outer - step.width / 2))
    case let step as Framing:
      let framed = try picture.clipped(
        inset: step.inset, radii: step.corners.radii(step.radius), background: nil)
      guard let line = step.line, step.inset * 2 < Double(min(size.width, size.height)) else { return framed }
      return try picture.with(framed).edged(
        .continuous, inset: line.inset + line.width / 2, width: line.width, color: line.color,
        radii: step.corners.radii(line.radius - line.width / 2))
    case let step as Flip:
      // The EXIF orientation that mirrors so.
      let orientation = step.horizontal ? step.vertical ? 3 : 2 : step.vertical ? 4 : 1
      return try image.inMemory().turned(orientation)
    case let step as Rotation:
      let clear = try image.addingAlpha()
      return try .make {
        vips.rotate(clear.handle, step.cosine, step.sine, Int32(size.width), Int32(size.height), $0)
      }
    default: return try colored(picture)
    }
  }

  private func colored(_ picture: Picture) throws(RasterFailure) -> Raster? {
    let image = picture.image
    switch value {
    case let step as GaussianBlur:
      // Below this the bell lies within one pixel.
      let blurred = step.radius < 0.1 ? image : try .make { vips.blur(image.handle, step.radius, $0) }
      return step.keepsOpaque ? blurred : try blurred.addingAlpha()
    case let step as BoxBlur:
      let blurred = try Raster.make {
        vips.box_blur(image.handle, Int32(step.width), Int32(step.passes), $0)
      }
      return step.keepsOpaque ? blurred : try blurred.addingAlpha()
    case let step as Overlay:
      return try .make { vips.overlay(image.handle, picture.components(step.color), step.fraction, $0) }
    case let step as Tint: return try .make { vips.tint(image.handle, picture.components(step.color), $0) }
    case let step as ColorControls:
      return try .make {
        vips.color_controls(
          image.handle, step.brightness, step.contrast, step.saturation, step.exposure, $0)
      }
    case let step as Blend:
      let background = step.background.map(picture.components)
      return try .make { vips.blend(image.handle, Int32(step.mode.rawValue), step.alpha, background, $0) }
    case let step as ColorBlend:
      return try .make {
        vips.blend_color(image.handle, Int32(step.mode.rawValue), picture.components(step.color), $0)
      }
    case let step as Filter: return try step.draw(on: image)
    default: return nil
    }
  }

  /// The picture where the step wants it; the rest is done by ``draw(on:of:)``.
  func place(_ picture: Picture, limits: RenderLimits, by drawing: Drawing?) throws -> Picture {
    let source = (picture.width, picture.height)
    let size = try value.size(of: source)
    try limits.check(width: size.width, height: size.height, of: "the result")
    guard let placement = try value.placement(of: source)?.drawn(by: drawing ?? .device) else {
      return picture
    }
    return picture.with(try picture.image.drawn(placement).plain())
  }

  /// Draws what does not depend on a place. The result may be lazy.
  func draw(on picture: Picture, of decoder: PictureDecoder) throws -> Picture {
    let source = (picture.width, picture.height)
    let size = value.isPlaced ? source : try value.size(of: source)
    let orientation = value.keepsStoredPixels ? decoder.info?.orientation ?? 1 : 1
    // Quarter turns are undone by each other, all else by itself.
    let turn = [6: 8, 8: 6][orientation] ?? orientation
    guard let drawn = try draw(on: picture, size: size)?.turned(turn) else {
      throw RenderFailure(.worker, "this preheat-render cannot draw the step \(name)")
    }
    return picture.with(drawn)
  }
}

extension RenderStep.Filter {
  private static let kinds: [RenderStep.ColorFilter: pv_filter] = [
    .photoEffectMono: PV_MONO, .photoEffectNoir: PV_NOIR, .photoEffectTonal: PV_TONAL,
    .colorInvert: PV_INVERT, .colorMonochrome: PV_MONOCHROME, .maximumComponent: PV_MAXIMUM,
    .minimumComponent: PV_MINIMUM, .linearToSRGBToneCurve: PV_LINEAR_TO_SRGB,
    .sRGBToneCurveToLinear: PV_SRGB_TO_LINEAR,
  ]

  fileprivate func draw(on image: Raster) throws(RasterFailure) -> Raster? {
    func amount(_ index: Int, _ usual: Double) -> Double {
      amounts.flatMap { index < $0.count ? $0[index] : nil } ?? usual
    }
    switch filter {
    case .sepiaTone: return try .make { vips.sepia(image.handle, amount(0, 1), $0) }
    // The filters' default radius and amount (Core Image Filter Reference).
    case .sharpenLuminance:
      return try .make { vips.sharpen(image.handle, amount(0, 1.69), amount(1, 0.4), $0) }
    case .unsharpMask:
      return try .make { vips.sharpen(image.handle, amount(0, 2.5), amount(1, 0.5), $0) }
    default:
      guard let kind = Self.kinds[filter] else { return nil }
      return try .make { vips.filter(image.handle, kind, $0) }
    }
  }
}

/// How a path goes round a corner.
private enum Curve: Int32 {
  /// A quarter circle, as in `CGPath`.
  case arc
  /// As in `UIBezierPath`.
  case continuous
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

  fileprivate func round(_ part: PixelPart, _ border: RenderStep.Border?) throws(RasterFailure) -> Raster {
    try with(image.cropped(part)).rounded(radius: Double(part.width) / 2, border: border)
  }

  fileprivate func rounded(radius: Double, border: RenderStep.Border?) throws(RasterFailure) -> Raster {
    let radii = RenderStep.Corners.all.radii(radius)
    let clipped = try radius > 0 ? clipped(.arc, radii: radii, background: nil) : image.addingAlpha()
    guard let border else { return clipped }
    return try with(clipped).edged(
      .arc, width: border.width, color: border.color, radii: radii, isInside: true)
  }

  /// - Parameters:
  ///   - inset: from the edges, in pixels.
  ///   - radii: in pixels, as ``RenderStep/Corners/radii(_:)`` orders them.
  fileprivate func clipped(
    _ curve: Curve = .continuous, inset: Double = 0, radii: [Double], background: RenderStep.Color?
  ) throws(RasterFailure) -> Raster {
    let background = background.map(components)
    return try Raster.make {
      vips.clip_corners(image.handle, curve.rawValue, inset, radii, background, $0)
    }
  }

  /// - Parameters:
  ///   - inset: of the middle of the line.
  ///   - radii: there, as ``clipped(_:inset:radii:background:)`` has them; 0 and less are square corners.
  ///   - isInside: whether only the line's inner half is drawn.
  fileprivate func edged(
    _ curve: Curve, inset: Double = 0, width: Double, color: RenderStep.Color, radii: [Double],
    isInside: Bool = false
  ) throws(RasterFailure) -> Raster {
    try Raster.make {
      vips.edge_line(
        image.handle, curve.rawValue, inset, radii, width, isInside ? 1 : 0, components(color), $0)
    }
  }
}
