/// A cache of images in memory, as the pipeline uses it. It may be used from any thread.
public protocol ImageCaching: AnyObject, Sendable {
  /// The image of a key; setting nil removes it.
  subscript(key: ImageCacheKey) -> ImageContainer? { get set }
  func removeAll()
}

extension ImageCaching {
  /// The image of a request, whatever its options say: they are the pipeline's business.
  public subscript(request: ImageRequest) -> ImageContainer? {
    get { self[ImageCacheKey(request: request)] }
    set { self[ImageCacheKey(request: request)] = newValue }
  }
}
