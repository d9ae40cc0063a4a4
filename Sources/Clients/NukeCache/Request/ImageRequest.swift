import Foundation

/// What to load, how to process it and how to treat the caches on the way: Nuke's `ImageRequest`.
///
///     let request = ImageRequest(
///       url: URL(string: "https://example.com/image.jpeg"),
///       processors: [.resize(width: 320)], priority: .high, options: [.reloadIgnoringCachedData])
public struct ImageRequest: Sendable {
  /// Where the data comes from. A request without a URL fails when it is loaded.
  public let url: URL?
  /// Applied in this order, after the thumbnail. They are part of the keys.
  public var processors: [ImageProcessor]
  /// Which of the waiting requests goes first. Not part of the keys.
  public var priority: Priority
  /// Which caches are read and written. Not part of the keys.
  public var options: Options
  /// Whatever the app wants to find again in its own code, in a delegate for instance.
  public var userInfo: [String: any Sendable]
  /// Made by the decoder, before the processors. Part of the keys.
  public var thumbnail: ThumbnailOptions?
  private var customImageID: String?

  /// A request of a URL.
  public init(
    url: URL?, processors: [ImageProcessor] = [], priority: Priority = .normal, options: Options = [],
    userInfo: [String: any Sendable] = [:], thumbnail: ThumbnailOptions? = nil
  ) {
    self.url = url
    self.processors = processors
    self.priority = priority
    self.options = options
    self.userInfo = userInfo
    self.thumbnail = thumbnail
  }

  /// What the keys begin with: the URL's `absoluteString`, unless another was set. Nil for a request without
  /// a URL. Setting an ID, an empty one too, replaces it, for a URL that holds a token for instance; setting
  /// nil brings the URL back.
  public var imageID: String? {
    get { customImageID ?? url?.absoluteString }
    set { customImageID = newValue }
  }
}

/// What the pipeline takes where it wants a request: a request, a URL or a URL's text.
public protocol ImageRequestConvertible {
  /// The request: for a URL or its text one without processors.
  func asImageRequest() -> ImageRequest
}

extension ImageRequest: ImageRequestConvertible {
  public func asImageRequest() -> ImageRequest { self }
}

extension URL: ImageRequestConvertible {
  public func asImageRequest() -> ImageRequest { ImageRequest(url: self) }
}

extension String: ImageRequestConvertible {
  public func asImageRequest() -> ImageRequest { ImageRequest(url: URL(string: self)) }
}
