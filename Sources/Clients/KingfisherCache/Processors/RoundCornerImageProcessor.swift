/// Rounds the corners of an image. Kingfisher's `RoundCornerImageProcessor`.
public struct RoundCornerImageProcessor: BuiltInImageProcessor, Hashable {
  /// Points, or a part of the target's width or height (5.14.0 and later).
  public var radius: BuiltInProcessor.Radius
  /// Points; nil for the size of the image.
  public var targetSize: BuiltInProcessor.Size?
  public var roundingCorners: BuiltInProcessor.RectCorner
  public var backgroundColor: KFCrossPlatformColor?

  public init(
    radius: BuiltInProcessor.Radius, targetSize: BuiltInProcessor.Size? = nil,
    roundingCorners: BuiltInProcessor.RectCorner = .all, backgroundColor: KFCrossPlatformColor? = nil
  ) {
    self.radius = radius
    self.targetSize = targetSize
    self.roundingCorners = roundingCorners
    self.backgroundColor = backgroundColor
  }

  public init(
    cornerRadius: Double, targetSize: BuiltInProcessor.Size? = nil,
    roundingCorners: BuiltInProcessor.RectCorner = .all, backgroundColor: KFCrossPlatformColor? = nil
  ) {
    self.init(
      radius: .point(cornerRadius), targetSize: targetSize, roundingCorners: roundingCorners,
      backgroundColor: backgroundColor)
  }

  public var builtIn: BuiltInProcessor {
    .roundCorner(
      radius: radius, targetSize: targetSize, corners: roundingCorners, backgroundColor: backgroundColor)
  }
}
