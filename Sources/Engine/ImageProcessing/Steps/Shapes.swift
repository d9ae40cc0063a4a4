import CVips
import Pictures

extension RenderStep.RoundedCorners: DrawnStep {
  func draw(on picture: Picture, size: PixelSize) throws(RasterFailure) -> Raster {
    try picture.rounded(radius: radius, border: border)
  }
}

extension RenderStep.CornerRounding: DrawnStep {
  func draw(on picture: Picture, size: PixelSize) throws(RasterFailure) -> Raster {
    let radius = radius.pixels(
      width: target.map { $0.width * $0.scale } ?? Double(size.width),
      height: target.map { $0.height * $0.scale } ?? Double(size.height))
    return try picture.clipped(radii: corners.radii(radius), background: background)
  }
}

extension RenderStep.EdgeLine: DrawnStep {
  func draw(on picture: Picture, size: PixelSize) throws(RasterFailure) -> Raster {
    guard width > 0 else { return picture.image }
    let outer = radius.pixels(width: Double(size.width) - width, height: Double(size.height) - width)
    return try picture.edged(
      .continuous, inset: width / 2, width: width, color: color, radii: corners.radii(outer - width / 2))
  }
}

extension RenderStep.Framing: DrawnStep {
  func draw(on picture: Picture, size: PixelSize) throws(RasterFailure) -> Raster {
    let framed = try picture.clipped(inset: inset, radii: corners.radii(radius), background: nil)
    guard let line, inset * 2 < Double(min(size.width, size.height)) else { return framed }
    return try picture.with(framed).edged(
      .continuous, inset: line.inset + line.width / 2, width: line.width, color: line.color,
      radii: corners.radii(line.radius - line.width / 2))
  }
}

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

/// How a path goes round a corner.
private enum Curve: Int32 {
  /// A quarter circle, as in `CGPath`.
  case arc
  /// As in `UIBezierPath`.
  case continuous
}

extension Picture {
  func rounded(radius: Double, border: RenderStep.Border?) throws(RasterFailure) -> Raster {
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
