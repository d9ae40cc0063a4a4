/// Blurs an image. Kingfisher's `BlurImageProcessor`.
public struct BlurImageProcessor: BuiltInImageProcessor, Hashable {
  public var blurRadius: Double

  public init(blurRadius: Double) {
    self.blurRadius = blurRadius
  }

  public var builtIn: BuiltInProcessor {
    .blur(blurRadius: blurRadius)
  }
}
