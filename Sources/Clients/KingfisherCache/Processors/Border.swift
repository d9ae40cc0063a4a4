/// A border along the edge of an image: Kingfisher's `Border`.
public struct Border: Hashable, Sendable {
  public var color: KFCrossPlatformColor
  /// Points.
  public var lineWidth: Double
  public var radius: BuiltInProcessor.Radius
  public var roundingCorners: BuiltInProcessor.RectCorner

  public init(
    color: KFCrossPlatformColor = .gray(white: 0, alpha: 1), lineWidth: Double = 4,
    radius: BuiltInProcessor.Radius = .point(0), roundingCorners: BuiltInProcessor.RectCorner = .all
  ) {
    self.color = color
    self.lineWidth = lineWidth
    self.radius = radius
    self.roundingCorners = roundingCorners
  }
}
