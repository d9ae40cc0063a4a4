import CVips
import Pictures

extension RenderStep.RoundedCorners: DrawnStep {
  func draw(on picture: Picture, size: PixelSize) throws(VipsFailure) -> VipsImage {
    try picture.image.rounded(radius: radius, border: border)
  }
}

extension RenderStep.CornerRounding: DrawnStep {
  func draw(on picture: Picture, size: PixelSize) throws(VipsFailure) -> VipsImage {
    let radius = radius.pixels(
      width: target.map { $0.width * $0.scale } ?? Double(size.width),
      height: target.map { $0.height * $0.scale } ?? Double(size.height))
    return try picture.image.clipped(radii: corners.radii(radius), background: background)
  }
}

extension RenderStep.EdgeLine: DrawnStep {
  func draw(on picture: Picture, size: PixelSize) throws(VipsFailure) -> VipsImage {
    guard width > 0 else { return picture.image }
    let outer = radius.pixels(width: Double(size.width) - width, height: Double(size.height) - width)
    // Kingfisher strokes the middle of the line; where that has no radius, its corners are square.
    let radii = corners.radii(outer > width / 2 ? outer : 0)
    return try picture.image.edged(width: width, color: color, radii: radii)
  }
}

extension RenderStep.Framing: DrawnStep {
  func draw(on picture: Picture, size: PixelSize) throws(VipsFailure) -> VipsImage {
    let framed = try picture.image.clipped(inset: inset, radii: corners.radii(radius), background: nil)
    guard let line else { return framed }
    return try framed.edged(
      inset: line.inset, width: line.width, color: line.color, radii: corners.radii(line.radius))
  }
}

extension VipsImage {
  func rounded(radius: Double, border: RenderStep.Border?) throws(VipsFailure) -> VipsImage {
    guard let border else { return try VipsImage.make { pv_round(handle, radius, 0, nil, $0) } }
    return try VipsImage.make { pv_round(handle, radius, border.width, border.color.components, $0) }
  }

  /// - Parameters:
  ///   - inset: from the edges, in pixels.
  ///   - radii: in pixels, as ``RenderStep/Corners/radii(_:)`` orders them.
  fileprivate func clipped(
    inset: Double = 0, radii: [Double], background: RenderStep.Color?
  ) throws(VipsFailure) -> VipsImage {
    guard let background else {
      return try VipsImage.make { pv_clip_corners(handle, inset, radii, nil, $0) }
    }
    return try VipsImage.make { pv_clip_corners(handle, inset, radii, background.components, $0) }
  }

  /// - Parameters:
  ///   - inset: of the outer edge.
  ///   - radii: of the outer edge, as ``clipped(inset:radii:background:)`` has them.
  fileprivate func edged(
    inset: Double = 0, width: Double, color: RenderStep.Color, radii: [Double]
  ) throws(VipsFailure) -> VipsImage {
    try VipsImage.make { pv_edge_line(handle, inset, radii, width, color.components, $0) }
  }
}
