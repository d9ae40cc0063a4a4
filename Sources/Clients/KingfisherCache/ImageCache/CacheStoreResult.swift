/// What came of storing an image: Kingfisher's `CacheStoreResult`.
public struct CacheStoreResult: Sendable {
  /// Memory always takes an image.
  public var memoryCacheResult: Result<Void, Never>
  /// A success too where nothing was to be written.
  public var diskCacheResult: Result<Void, KingfisherError>

  init(diskCacheResult: Result<Void, KingfisherError> = .success(())) {
    memoryCacheResult = .success(())
    self.diskCacheResult = diskCacheResult
  }
}
