/// Draws an image at the size that a reference size gives by its mode; it may be enlarged. Kingfisher's `ResizingImageProcessor`.
public struct ResizingImageProcessor: BuiltInImageProcessor, Hashable {
  /// Points.
  public var referenceSize: BuiltInProcessor.Size
  /// `.none` distorts; `.aspectFill` crops nothing.
  public var mode: BuiltInProcessor.ContentMode

  public init(referenceSize: BuiltInProcessor.Size, mode: BuiltInProcessor.ContentMode = .none) {
    self.referenceSize = referenceSize
    self.mode = mode
  }

  public var builtIn: BuiltInProcessor {
    .resizing(referenceSize: referenceSize, mode: mode)
  }
}
