/// The part that Kingfisher's `CroppingImageProcessor` cuts out (5.0.0 to 8.11.0): placed in points, limited
/// to the picture, scaled, and widened to whole pixels as `CGImage.cropping(to:)` does.
public enum CroppingGeometry {
  public struct Part: Hashable, Sendable {
    public var left, top, width, height: Int

    public init(left: Int, top: Int, width: Int, height: Int) {
      (self.left, self.top, self.width, self.height) = (left, top, width, height)
    }
  }

  /// - Throws: ``RenderFailure`` with the code `size` where nothing is left.
  public static func part(
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
    // Noise of the arithmetic is no reason to take another row of pixels.
    let first = max(Int((from * scale + 1e-6).rounded(.down)), 0)
    let last = min(Int((to * scale - 1e-6).rounded(.up)), side)
    return last > first ? first..<last : nil
  }
}
