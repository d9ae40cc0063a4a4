extension ImagePipelineCache {
  /// The key in memory: image ID, scale, thumbnail and processors, or the hook's text alone.
  public func makeImageCacheKey(for request: ImageRequest) -> ImageCacheKey {
    keyHook?(request).map(ImageCacheKey.init(key:)) ?? ImageCacheKey(request: request)
  }

  /// The key on disk: image ID, thumbnail and processors as the version spells them, or the hook's text
  /// alone. Empty, and so never stored or found, for a request that the version cannot express.
  public func makeDataCacheKey(for request: ImageRequest) -> String {
    if let key = keyHook?(request) { return key }
    let (thumbnail, processors) = (request.thumbnail, request.processors)
    guard format.unsupportedReason(thumbnail: thumbnail, processors: processors) == nil else { return "" }
    return format.dataCacheKey(imageID: request.imageID ?? "", thumbnail: thumbnail, processors: processors)
  }
}
