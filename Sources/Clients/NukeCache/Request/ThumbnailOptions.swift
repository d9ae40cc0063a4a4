/// `ImageRequest.ThumbnailOptions`: a thumbnail made by the system's image decoder instead of by a
/// processor. It comes before the processors, in the key and in the drawing.
public struct ThumbnailOptions: Hashable, Sendable {
  public var size: Size
  public var createThumbnailFromImageIfAbsent = true
  public var createThumbnailFromImageAlways = true
  public var createThumbnailWithTransform = true
  public var shouldCacheImmediately = true

  public enum Size: Hashable, Sendable {
    /// Pixels of the longer side; no screen scale enters.
    case maxPixelSize(Double)
    /// Nuke 12.0.0 and later.
    case flexible(
      width: Double, height: Double, unit: ImageProcessor.Unit, contentMode: ImageProcessor.ContentMode)
  }

  public init(maxPixelSize: Double) {
    size = .maxPixelSize(maxPixelSize)
  }

  public init(
    width: Double, height: Double, unit: ImageProcessor.Unit = .points,
    contentMode: ImageProcessor.ContentMode = .aspectFill
  ) {
    size = .flexible(width: width, height: height, unit: unit, contentMode: contentMode)
  }
}
