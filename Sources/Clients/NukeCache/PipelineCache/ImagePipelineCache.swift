import Foundation

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
    /// A bit for each layer.
    public let rawValue: Int

    /// The layers of these bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The images that are ready for use.
    public static let memory = Caches(rawValue: 1 << 0)
    /// The data on disk.
    public static let disk = Caches(rawValue: 1 << 1)
    /// Both layers.
    public static let all: Caches = [.memory, .disk]
  }

  /// The layer in memory; nil for none.
  public let imageCache: (any ImageCaching)?
  /// The layer on disk; nil for none.
  public let dataCache: (any DataCaching)?
  /// How keys on disk are spelled.
  public let format: CacheKeyFormat
  let encoder: (any ImageEncoding)?
  let decoder: (any ImageDecoding)?
  let keyHook: KeyHook?

  /// - Parameters:
  ///   - imageCache: the layer in memory.
  ///   - dataCache: the layer on disk.
  ///   - format: how keys on disk are spelled.
  ///   - encoder: without one an image is stored on disk by the encoded data that it carries, if it does.
  ///   - decoder: without one no image is found on disk, only its data.
  ///   - cacheKey: gives a request a key of the app's own.
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

  /// The image of a request in memory; setting nil removes it there.
  public subscript(request: some ImageRequestConvertible) -> ImageContainer? {
    get {
      let request = request.asImageRequest(for: format.version)
      return request.options.readsMemoryCache ? imageCache?[makeImageCacheKey(for: request)] : nil
    }
    nonmutating set {
      let request = request.asImageRequest(for: format.version)
      guard newValue == nil || request.options.writesMemoryCache else { return }
      imageCache?[makeImageCacheKey(for: request)] = newValue
    }
  }

  /// The image of a request, from memory or else decoded from disk. Nothing is moved between the layers.
  public func cachedImage(
    for request: some ImageRequestConvertible, caches: Caches = .all
  ) -> ImageContainer? {
    let request = request.asImageRequest(for: format.version)
    if caches.contains(.memory), let container = self[request] { return container }
    guard caches.contains(.disk), let decoder, let data = cachedData(for: request) else { return nil }
    // Data that makes no image is a miss: it stays, and the next source is asked.
    return try? decoder.decode(data, for: request)
  }

  /// Stores an image in memory and, encoded, on disk under this request's key, whatever the policy.
  public func storeCachedImage(
    _ container: ImageContainer, for request: some ImageRequestConvertible, caches: Caches = .all
  ) {
    let request = request.asImageRequest(for: format.version)
    if caches.contains(.memory) { self[request] = container }
    if caches.contains(.disk), request.options.writesDiskCache, let data = encoded(container, for: request) {
      storeCachedData(data, for: request)
    }
  }

  /// Whether there is an image of this request; on disk its data is not looked into.
  public func containsCachedImage(
    for request: some ImageRequestConvertible, caches: Caches = .all
  ) -> Bool {
    let request = request.asImageRequest(for: format.version)
    if caches.contains(.memory), self[request] != nil { return true }
    return caches.contains(.disk) && containsData(for: request)
  }

  /// Removes the image of this request, whatever its options say.
  public func removeCachedImage(for request: some ImageRequestConvertible, caches: Caches = .all) {
    let request = request.asImageRequest(for: format.version)
    if caches.contains(.memory) { self[request] = nil }
    if caches.contains(.disk) { removeCachedData(for: request) }
  }

  private func encoded(_ container: ImageContainer, for request: ImageRequest) -> Data? {
    // Up to 13.1 a preview could take the place of the final image on disk.
    if container.isPreview, format.version >= NukeVersion(13, 2, 0) { return nil }
    if container.type == .gif, format.version.encodedGIFKeepsOriginalBytes {
      return container.data
    }
    return encoder?.encode(container, for: request) ?? (encoder == nil ? container.data : nil)
  }

  /// The data on disk under exactly this request's key; nil if the request does not read the disk cache.
  public func cachedData(for request: some ImageRequestConvertible) -> Data? {
    let request = request.asImageRequest(for: format.version)
    guard request.options.readsDiskCache else { return nil }
    return dataCache?.cachedData(for: makeDataCacheKey(for: request))
  }

  /// Stores data under exactly this request's key, unless the request does not write the disk cache.
  public func storeCachedData(_ data: Data, for request: some ImageRequestConvertible) {
    let request = request.asImageRequest(for: format.version)
    guard request.options.writesDiskCache else { return }
    dataCache?.storeData(data, for: makeDataCacheKey(for: request))
  }

  /// Whether there is data under exactly this request's key, whatever its options say. Does not read it.
  public func containsData(for request: some ImageRequestConvertible) -> Bool {
    dataCache?.containsData(for: makeDataCacheKey(for: request.asImageRequest(for: format.version))) ?? false
  }

  /// Removes the data under exactly this request's key, whatever its options say.
  public func removeCachedData(for request: some ImageRequestConvertible) {
    dataCache?.removeData(for: makeDataCacheKey(for: request.asImageRequest(for: format.version)))
  }
}
