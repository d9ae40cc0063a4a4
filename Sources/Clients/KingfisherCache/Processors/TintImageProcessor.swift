/// Tints an image with a colour. Kingfisher's `TintImageProcessor`.
public struct TintImageProcessor: BuiltInImageProcessor, Hashable {
  public var tint: KFCrossPlatformColor

  public init(tint: KFCrossPlatformColor) {
    self.tint = tint
  }

  public var builtIn: BuiltInProcessor {
    .tint(color: tint)
  }
}
