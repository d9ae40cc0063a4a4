/// Decodes an image no larger than needed: its longer side becomes at most that of `size`. Never enlarges. Kingfisher's `DownsamplingImageProcessor`.
public struct DownsamplingImageProcessor: BuiltInImageProcessor, Hashable {
  /// Points.
  public var size: BuiltInProcessor.Size

  public init(size: BuiltInProcessor.Size) {
    self.size = size
  }

  public var builtIn: BuiltInProcessor {
    .downsampling(size: size)
  }
}
