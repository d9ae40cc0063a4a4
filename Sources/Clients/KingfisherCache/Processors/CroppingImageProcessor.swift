/// Cuts a rectangle out of an image. Kingfisher's `CroppingImageProcessor`.
public struct CroppingImageProcessor: BuiltInImageProcessor, Hashable {
  /// Points.
  public var size: BuiltInProcessor.Size
  /// From (0, 0), top left, to (1, 1).
  public var anchor: BuiltInProcessor.Point

  public init(
    size: BuiltInProcessor.Size, anchor: BuiltInProcessor.Point = BuiltInProcessor.Point(x: 0.5, y: 0.5)
  ) {
    self.size = size
    self.anchor = anchor
  }

  public var builtIn: BuiltInProcessor {
    .cropping(size: size, anchor: anchor)
  }
}
