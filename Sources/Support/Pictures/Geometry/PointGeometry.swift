/// The sizes that Kingfisher's `ResizingImageProcessor` arrives at (5.0.0 to 8.11.0, `SizeExtension` and
/// `ImageDrawing`): rounded in points, half away from zero, then scaled.
package enum ResizingGeometry {
  /// The result's pixels for a picture of `width` x `height` pixels.
  ///
  /// - Throws: ``RenderFailure`` with the code `size` where a side comes to nothing.
  package static func size(
    of step: RenderStep.Resizing, width: Int, height: Int
  ) throws(RenderFailure) -> (width: Int, height: Int) {
    if step.keepsSmaller, Double(width) <= step.width * step.scale, Double(height) <= step.height * step.scale
    {
      return (width, height)
    }
    let points = points(of: step, width: Double(width) / step.scale, height: Double(height) / step.scale)
    guard let across = pixels(points.width * step.scale), let down = pixels(points.height * step.scale) else {
      throw RenderFailure(
        .size,
        "resizing \(width) x \(height) pixels to \(step.width) x \(step.height) points would make "
          + "\(points.width) x \(points.height) points")
    }
    return (across, down)
  }

  /// Width over height decides which side of the target counts, and it is compared after rounding.
  private static func points(
    of step: RenderStep.Resizing, width: Double, height: Double
  ) -> (width: Double, height: Double) {
    guard let mode = step.contentMode else { return (step.width, step.height) }
    let ratio = height == 0 ? 1 : width / height
    let fittingWidth = (ratio * step.height).rounded(.toNearestOrAwayFromZero)
    let fittingHeight = (step.width / ratio).rounded(.toNearestOrAwayFromZero)
    let takesWidth =
      switch mode {
      case .aspectFit: fittingWidth > step.width
      case .aspectFill: fittingWidth < step.width
      }
    return takesWidth ? (step.width, fittingHeight) : (fittingWidth, step.height)
  }

  /// A bitmap has room for the last fraction of a pixel, but not for the noise of a multiplication.
  private static func pixels(_ side: Double) -> Int? {
    let whole = (side - 1e-6).rounded(.up)
    guard whole >= 1, whole <= ResizeGeometry.longestSide else { return nil }
    return Int(whole)
  }
}

/// The part that Kingfisher's `CroppingImageProcessor` cuts out (5.0.0 to 8.11.0): placed in points, limited
/// to the picture, scaled, and widened to whole pixels as `CGImage.cropping(to:)` does.
package enum CroppingGeometry {
  package struct Part: Hashable, Sendable {
    package var left, top, width, height: Int

    init(left: Int, top: Int, width: Int, height: Int) {
      (self.left, self.top, self.width, self.height) = (left, top, width, height)
    }
  }

  /// - Throws: ``RenderFailure`` with the code `size` where nothing is left.
  package static func part(
    of step: RenderStep.Cropping, width: Int, height: Int
  ) throws(RenderFailure) -> Part {
    let across = range(step.width, anchor: step.anchorX, side: width, scale: step.scale)
    let down = range(step.height, anchor: step.anchorY, side: height, scale: step.scale)
    guard let across, let down else {
      throw RenderFailure(
        .size, "cropping \(width) x \(height) pixels to \(step.width) x \(step.height) points leaves nothing")
    }
    return Part(left: across.lowerBound, top: down.lowerBound, width: across.count, height: down.count)
  }

  private static func range(_ length: Double, anchor: Double, side: Int, scale: Double) -> Range<Int>? {
    guard length.isFinite, anchor.isFinite, length > 0 else { return nil }
    let whole = Double(side) / scale
    let anchor = min(max(anchor, 0), 1)
    let start = anchor * whole - anchor * length
    let from = max(start, 0)
    let to = min(start + length, whole)
    guard to > from else { return nil }
    // A rounding error must not take another row of pixels.
    // fits: both lie in the picture.
    let first = max(Int((from * scale + 1e-6).rounded(.down)), 0)
    let last = min(Int((to * scale - 1e-6).rounded(.up)), side)
    return last > first ? first..<last : nil
  }
}

/// The centred square that Nuke's `ImageProcessors.Circle` cuts out before it rounds the corners by half
/// a side.
package enum CircleGeometry {
  package struct Part: Hashable, Sendable {
    package var left, top, width, height: Int
  }

  /// In whole pixels; an odd rest goes to the right and the bottom (Nuke 12.1.1 and later take the floor).
  ///
  /// - Parameter isWidened: the square's half pixels are cut out whole, as `CGImage.cropping(to:)` does before 12.1.1: with an
  ///   odd rest one side has a pixel more.
  package static func crop(width: Int, height: Int, isWidened: Bool = false) -> Part {
    let side = min(width, height)
    let (across, down) = isWidened ? ((width - side) % 2, (height - side) % 2) : (0, 0)
    return Part(
      left: (width - side) / 2, top: (height - side) / 2, width: side + across, height: side + down)
  }
}
