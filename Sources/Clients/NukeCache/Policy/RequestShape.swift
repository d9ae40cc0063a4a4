/// What of a request decides which entries are looked up and stored; the keys come later.
public struct RequestShape: Hashable, Sendable {
  public var hasThumbnail: Bool
  public var processorCount: Int
  /// `data(for:)`, `loadData` or the prefetcher with the disk cache as destination, in contrast to
  /// an image request.
  public var isDataRequest: Bool
  public var options: Options

  public init(
    hasThumbnail: Bool = false, processorCount: Int = 0, isDataRequest: Bool = false, options: Options = []
  ) {
    self.hasThumbnail = hasThumbnail
    self.processorCount = processorCount
    self.isDataRequest = isDataRequest
    self.options = options
  }

  /// Those of `ImageRequest.Options` that concern the data cache.
  public struct Options: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    public static let disableDiskCacheReads = Options(rawValue: 1)
    /// Originals only: Nuke stores encoded images all the same.
    public static let disableDiskCacheWrites = Options(rawValue: 2)
    public static let reloadIgnoringCachedData = Options(rawValue: 4)
    public static let returnCacheDataDontLoad = Options(rawValue: 8)
  }

  /// The key of the request itself: the whole chain.
  public var fullKey: KeyPart { KeyPart(hasThumbnail: hasThumbnail, processorCount: processorCount) }
}
