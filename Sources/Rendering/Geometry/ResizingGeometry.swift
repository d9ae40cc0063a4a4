/// The sizes that Kingfisher's `ResizingImageProcessor` arrives at (5.0.0 to 8.11.0, `SizeExtension` and
/// `ImageDrawing`): rounded in points, half away from zero, then scaled.
public enum ResizingGeometry {
  /// The result's pixels for a picture of `width` x `height` pixels.
  ///
  /// - Throws: ``RenderFailure`` with the code `size` where a side comes to nothing.
  public static func size(
    of step: RenderStep.Resizing, width: Int, height: Int
  ) throws(RenderFailure) -> (width: Int, height: Int) {
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
