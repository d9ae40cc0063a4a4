/// Lays a colour over an image. Kingfisher's `OverlayImageProcessor`.
public struct OverlayImageProcessor: BuiltInImageProcessor, Hashable {
  public var overlay: KFCrossPlatformColor
  /// 0 shows the colour alone, 1 the image alone.
  public var fraction: Double

  public init(overlay: KFCrossPlatformColor, fraction: Double = 0.5) {
    self.overlay = overlay
    self.fraction = fraction
  }

  public var builtIn: BuiltInProcessor {
    .overlay(color: overlay, fraction: fraction)
  }
}
