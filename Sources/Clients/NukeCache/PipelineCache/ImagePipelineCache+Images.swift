import Foundation

extension ImagePipelineCache {
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
    if container.type == .gif, DataCacheRules(version: format.version).encodedGIFKeepsOriginalBytes {
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
