/// What tells one image in memory from another.
///
/// Unlike the key on disk it is not text put together, so two requests never share it by accident.
public struct ImageCacheKey: Hashable, Sendable {
  private enum Identity: Hashable {
    case custom(String)
    case request(imageID: String, scale: Float, thumbnail: ThumbnailOptions?, processors: [ImageProcessor])
  }

  private let identity: Identity

  /// A key of the app's own, which stands for the whole request.
  public init(key: String) {
    identity = .custom(key)
  }

  public init(request: ImageRequest) {
    identity = .request(
      imageID: request.imageID ?? "", scale: request.scale, thumbnail: request.thumbnail,
      processors: request.processors)
  }
}
