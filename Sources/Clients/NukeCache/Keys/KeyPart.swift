/// How much of a request's chain stands in a key: the image ID always, the thumbnail or not, and the
/// first so many processors.
public struct KeyPart: Hashable, Sendable, CustomStringConvertible {
  public var hasThumbnail: Bool
  public var processorCount: Int

  public init(hasThumbnail: Bool = false, processorCount: Int = 0) {
    self.hasThumbnail = hasThumbnail
    self.processorCount = processorCount
  }

  /// The image ID alone: the original's key.
  public static let imageID = KeyPart()

  /// `U`, `U+T`, `U+p1+p2`, ...
  public var description: String {
    (["U"] + (hasThumbnail ? ["T"] : [])
      + (1...max(1, processorCount)).prefix(processorCount).map { "p\($0)" })
      .joined(separator: "+")
  }
}

extension CacheKeyFormat {
  /// The key that a part of a request's chain has.
  public func dataCacheKey(
    _ part: KeyPart, imageID: String, thumbnail: ThumbnailOptions?, processors: [ImageProcessor]
  ) -> String {
    dataCacheKey(
      imageID: imageID, thumbnail: part.hasThumbnail ? thumbnail : nil,
      processors: Array(processors.prefix(part.processorCount)))
  }

  /// The keys that the pipeline asks its data cache for, in order, when every one misses.
  public func lookupKeys(
    imageID: String, thumbnail: ThumbnailOptions?, processors: [ImageProcessor], isDataRequest: Bool = false,
    options: RequestShape.Options = []
  ) -> [String] {
    let shape = RequestShape(
      hasThumbnail: thumbnail != nil, processorCount: processors.count, isDataRequest: isDataRequest,
      options: options)
    return DataCacheRules(version: version).lookups(for: shape).map {
      dataCacheKey($0, imageID: imageID, thumbnail: thumbnail, processors: processors)
    }
  }
}
