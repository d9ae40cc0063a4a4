extension RequestShape {
  /// The shape of a whole request, for ``DataCacheRules``.
  ///
  /// - Parameter isDataRequest: it is made for its data, not for an image.
  public init(_ request: ImageRequest, isDataRequest: Bool = false) {
    let pairs: [(ImageRequest.Options, Options)] = [
      (.disableDiskCacheReads, .disableDiskCacheReads), (.disableDiskCacheWrites, .disableDiskCacheWrites),
      (.reloadIgnoringCachedData, .reloadIgnoringCachedData),
      (.returnCacheDataDontLoad, .returnCacheDataDontLoad),
    ]
    self.init(
      hasThumbnail: request.thumbnail != nil, processorCount: request.processors.count,
      isDataRequest: isDataRequest,
      options: Options(pairs.filter { request.options.contains($0.0) }.map(\.1)))
  }
}
