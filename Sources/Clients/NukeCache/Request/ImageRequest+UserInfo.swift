extension ImageRequest {
  public typealias ThumbnailOptions = NukeCache.ThumbnailOptions
}

/// What an app writes into `userInfo` for Nuke 10 to 12. Since 13.0.0 there are properties, and Nuke takes no notice of
/// these keys; so does a pipeline of that version.
extension ImageRequest.UserInfoKey {
  /// A `String` in place of the URL in the keys.
  public static let imageIdKey: Self = "github.com/kean/nuke/imageId"
  /// A number of pixels a point.
  public static let scaleKey: Self = "github.com/kean/nuke/scale"
  /// ``ThumbnailOptions``.
  public static let thumbnailKey: Self = "github.com/kean/nuke/thumbnail"
}

extension [ImageRequest.UserInfoKey: any Sendable] {
  var imageID: String? { self[.imageIdKey] as? String }
  var thumbnail: ThumbnailOptions? { self[.thumbnailKey] as? ThumbnailOptions }

  var scale: Float? {
    switch self[.scaleKey] {
    case let scale as Float: scale
    case let scale as Double: Float(scale)
    case let scale as Int: Float(scale)
    default: nil
    }
  }
}

extension ImageRequestConvertible {
  /// The request as a version understands it.
  package func asImageRequest(for version: NukeVersion) -> ImageRequest {
    var request = asImageRequest()
    request.readsUserInfo = version < NukeVersion(13, 0, 0)
    return request
  }
}
