/// The sizes that `ImageProcessors.Resize` of Nuke 10.0.0 to 13.2.0 arrives at. Pure arithmetic in
/// Double, in the client's own order of operations, for its rounding shows in the results.
package enum ResizeGeometry {
  package enum Result: Hashable, Sendable {
    /// The picture is passed on as it is.
    case unchanged
    /// The source is scaled to fill `drawRect` of a canvas of whole pixels; what lies outside is cut.
    case drawn(width: Int, height: Int, drawRect: DrawRect)
  }

  /// A rectangle as Core Graphics has it: `y` counts upwards from the canvas' bottom edge.
  package struct DrawRect: Hashable, Sendable {
    package var x, y, width, height: Double

    init(x: Double, y: Double, width: Double, height: Double) {
      (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    /// The distance of the upper edges, for those who count from the top; negative where cut.
    package func top(onCanvasOfHeight canvas: Int) -> Double { Double(canvas) - y - height }
  }

  /// Neither Core Graphics nor Nuke 13.2.0 goes beyond it.
  static let longestSide = Double(1 << 30)

  /// What a step makes of a picture of `width` x `height` pixels.
  ///
  /// - Throws: ``RenderFailure`` with the code `size` where the client has no picture either: a side
  ///   below one pixel, a target that is not a number. (Before 13.2.0 the latter crashed the app.)
  package static func result(
    of step: RenderStep.Resize, width: Int, height: Int
  ) throws(RenderFailure) -> Result {
    guard width > 0, height > 0, step.width.isFinite, step.height.isFinite else {
      throw RenderFailure(
        .size, "a picture of \(width) x \(height) cannot be resized to \(step.width) x \(step.height)")
    }
    let source = (width: Double(width), height: Double(height))
    let scale = scale(step, source)
    if step.crop && step.contentMode == .aspectFill { return try cropped(step, source, scale) }
    if scale >= 1 && !step.upscale { return .unchanged }
    let (width, height) = try pixels(
      (source.width * scale).rounded(.toNearestOrAwayFromZero),
      (source.height * scale).rounded(.toNearestOrAwayFromZero), step)
    return .drawn(
      width: width, height: height,
      drawRect: DrawRect(x: 0, y: 0, width: Double(width), height: Double(height)))
  }

  /// The factor by which the source fills or fits the target.
  private static func scale(_ step: RenderStep.Resize, _ source: (width: Double, height: Double)) -> Double {
    let (horizontal, vertical) = (step.width / source.width, step.height / source.height)
    return switch step.contentMode {
    case .aspectFill: max(horizontal, vertical)
    case .aspectFit: min(horizontal, vertical)
    }
  }

  private static func cropped(
    _ step: RenderStep.Resize, _ source: (width: Double, height: Double), _ fill: Double
  ) throws(RenderFailure) -> Result {
    var (canvas, scale) = ((width: step.width, height: step.height), fill)
    if fill > 1 && !step.upscale && !step.cropEnlarges {
      // The target's shape at the picture's own resolution.
      canvas = (
        (step.width / fill).rounded(.toNearestOrAwayFromZero),
        (step.height / fill).rounded(.toNearestOrAwayFromZero)
      )
      scale = 1
    }
    let drawn = (width: source.width * scale, height: source.height * scale)
    // The bitmap takes the whole pixels of the canvas, but the source is centred on all of it.
    let (width, height) = try pixels(canvas.width, canvas.height, step)
    return .drawn(
      width: width, height: height,
      drawRect: DrawRect(
        x: (canvas.width - drawn.width) / 2, y: (canvas.height - drawn.height) / 2,
        width: drawn.width, height: drawn.height))
  }

  private static func pixels(
    _ width: Double, _ height: Double, _ step: RenderStep.Resize
  ) throws(RenderFailure) -> (Int, Int) {
    guard width >= 1, height >= 1, width <= longestSide, height <= longestSide else {
      throw RenderFailure(
        .size,
        "resizing to \(step.width) x \(step.height) pixels would make a picture of \(width) x \(height)")
    }
    return (Int(width), Int(height))
  }
}

extension RenderStep.Resize {
  /// The step for stored pixels of a picture with an EXIF orientation: where that turns the picture by
  /// a quarter (5 to 8), the target's sides change places, as the target means the upright picture.
  func turned(forOrientation orientation: Int) -> RenderStep.Resize {
    guard (5...8).contains(orientation) else { return self }
    var step = self
    (step.width, step.height) = (height, width)
    return step
  }
}
