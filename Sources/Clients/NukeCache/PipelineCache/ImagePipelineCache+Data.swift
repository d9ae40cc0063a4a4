#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ImagePipelineCache {
  /// The data on disk under exactly this request's key; nil if the request does not read the disk cache.
  public func cachedData(for request: some ImageRequestConvertible) -> Data? {
    let request = request.asImageRequest()
    guard request.options.readsDiskCache else { return nil }
    return dataCache?.cachedData(for: makeDataCacheKey(for: request))
  }

  /// Stores data under exactly this request's key, unless the request does not write the disk cache.
  public func storeCachedData(_ data: Data, for request: some ImageRequestConvertible) {
    let request = request.asImageRequest()
    guard request.options.writesDiskCache else { return }
    dataCache?.storeData(data, for: makeDataCacheKey(for: request))
  }

  /// Whether there is data under exactly this request's key, whatever its options say. Does not read it.
  public func containsData(for request: some ImageRequestConvertible) -> Bool {
    dataCache?.containsData(for: makeDataCacheKey(for: request.asImageRequest())) ?? false
  }

  /// Removes the data under exactly this request's key, whatever its options say.
  public func removeCachedData(for request: some ImageRequestConvertible) {
    dataCache?.removeData(for: makeDataCacheKey(for: request.asImageRequest()))
  }
}
