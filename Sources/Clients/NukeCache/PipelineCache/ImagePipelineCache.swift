/// All caches of a pipeline as one, with the keys made for the caller: Nuke's `ImagePipeline.Cache`.
///
///     pipeline.cache["https://example.com/image.jpeg"] = ImageContainer(image: image)
///     pipeline.cache.removeCachedImage(for: request)
///
/// Every method honours the options of the request where they say something about it. An HTTP cache is not
/// among these caches.
public struct ImagePipelineCache: Sendable {
  /// An app's own key for a request, in place of the whole key in memory and on disk; nil for the usual one.
  public typealias KeyHook = @Sendable (ImageRequest) -> String?

  /// The layers that a call is about.
  public struct Caches: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let memory = Caches(rawValue: 1 << 0)
    public static let disk = Caches(rawValue: 1 << 1)
    public static let all: Caches = [.memory, .disk]
  }

  public let imageCache: (any ImageCaching)?
  public let dataCache: (any DataCaching)?
  /// How keys on disk are spelled.
  public let format: CacheKeyFormat
  let encoder: (any ImageEncoding)?
  let decoder: (any ImageDecoding)?
  let keyHook: KeyHook?

  /// - Parameters:
  ///   - encoder: without one an image is stored on disk by the encoded data that it carries, if it does.
  ///   - decoder: without one no image is found on disk, only its data.
  public init(
    imageCache: (any ImageCaching)? = ImageCache.shared, dataCache: (any DataCaching)?,
    format: CacheKeyFormat, encoder: (any ImageEncoding)? = nil, decoder: (any ImageDecoding)? = nil,
    cacheKey: KeyHook? = nil
  ) {
    self.imageCache = imageCache
    self.dataCache = dataCache
    self.format = format
    self.encoder = encoder
    self.decoder = decoder
    keyHook = cacheKey
  }

  /// Empties the caches; the one on disk loses the files of others too.
  public func removeAll(caches: Caches = .all) {
    if caches.contains(.memory) { imageCache?.removeAll() }
    if caches.contains(.disk) { dataCache?.removeAll() }
  }

  /// The key in memory: image ID, scale, thumbnail and processors, or the hook's text alone.
  public func makeImageCacheKey(for request: ImageRequest) -> ImageCacheKey {
    let request = request.asImageRequest(for: format.version)
    return keyHook?(request).map(ImageCacheKey.init(key:)) ?? ImageCacheKey(request: request)
  }

  /// The key on disk: image ID, thumbnail and processors as the version spells them, or the hook's text
  /// alone. Empty, and so never stored or found, for a request that the version cannot express.
  public func makeDataCacheKey(for request: ImageRequest) -> String {
    let request = request.asImageRequest(for: format.version)
    if let key = keyHook?(request) { return key }
    let (thumbnail, processors) = (request.thumbnail, request.processors)
    guard format.unsupportedReason(thumbnail: thumbnail, processors: processors) == nil else { return "" }
    return format.dataCacheKey(imageID: request.imageID ?? "", thumbnail: thumbnail, processors: processors)
  }
}
