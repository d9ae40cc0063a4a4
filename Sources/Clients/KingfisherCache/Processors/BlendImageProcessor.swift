/// Blends an image with a background. Kingfisher's `BlendImageProcessor`.
public struct BlendImageProcessor: BuiltInImageProcessor, Hashable {
  /// The raw value of a `CGBlendMode`: 0 for normal to 27 for plus lighter.
  public var blendMode: Int
  public var alpha: Double
  public var backgroundColor: KFCrossPlatformColor?

  public init(blendMode: Int, alpha: Double = 1, backgroundColor: KFCrossPlatformColor? = nil) {
    self.blendMode = blendMode
    self.alpha = alpha
    self.backgroundColor = backgroundColor
  }

  public var builtIn: BuiltInProcessor {
    .blend(mode: blendMode, alpha: alpha, backgroundColor: backgroundColor)
  }
}
