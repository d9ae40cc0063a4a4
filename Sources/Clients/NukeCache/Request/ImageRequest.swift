import Foundation

/// What to load, how to process it and how to treat the caches on the way: Nuke's `ImageRequest`.
///
///     let request = ImageRequest(
///       url: URL(string: "https://example.com/image.jpeg"),
///       processors: [.resize(width: 320)], priority: .high, options: [.reloadIgnoringCachedData])
public struct ImageRequest: Sendable {
  /// Where the data comes from.
  public var resource: Resource
  /// Applied in this order, after the thumbnail. They are part of the keys.
  public var processors: [ImageProcessor]
  /// Which of the waiting requests goes first. Not part of the keys.
  public var priority: Priority
  /// Which caches are read and written. Not part of the keys.
  public var options: Options
  /// Whatever the app wants to find again in its own code, the key hook for instance.
  public var userInfo: [UserInfoKey: any Sendable]

  private var customImageID: String?
  private var customThumbnail: ThumbnailOptions?
  private var customScale: Float?
  /// Whether the keys of ``userInfo`` count that Nuke has up to 12.
  var readsUserInfo = true

  /// A request of a URL. One without a URL fails when it is loaded.
  public init(
    url: URL?, processors: [ImageProcessor] = [], priority: Priority = .normal, options: Options = [],
    userInfo: [UserInfoKey: any Sendable] = [:], thumbnail: ThumbnailOptions? = nil
  ) {
    resource = .url(url)
    self.processors = processors
    self.priority = priority
    self.options = options
    self.userInfo = userInfo
    customThumbnail = thumbnail
  }

  /// A request whose data comes from the app's own code; `id` is the image ID.
  public init(
    id: String, data: @escaping @Sendable () async throws -> Data, processors: [ImageProcessor] = [],
    priority: Priority = .normal, options: Options = [], userInfo: [UserInfoKey: any Sendable] = [:],
    thumbnail: ThumbnailOptions? = nil
  ) {
    self.init(
      url: nil, processors: processors, priority: priority, options: options, userInfo: userInfo,
      thumbnail: thumbnail)
    resource = .data(id: id, load: data)
  }

  /// What the keys begin with: the URL's `absoluteString`, unless another was set. Nil for a request without
  /// a URL. Setting an ID, an empty one too, replaces it, for a URL that holds a token for instance; setting
  /// nil brings the URL back.
  public var imageID: String? {
    get { customImageID ?? (readsUserInfo ? userInfo.imageID : nil) ?? resource.imageID }
    set {
      customImageID = newValue
      userInfo[.imageIdKey] = nil
    }
  }

  /// Made by the decoder, before the processors. Part of the keys.
  public var thumbnail: ThumbnailOptions? {
    get { customThumbnail ?? (readsUserInfo ? userInfo.thumbnail : nil) }
    set {
      customThumbnail = newValue
      userInfo[.thumbnailKey] = nil
    }
  }

  /// Pixels a point of the image itself. Part of the key in memory, not of the one on disk.
  public var scale: Float {
    get { customScale ?? (readsUserInfo ? userInfo.scale : nil) ?? 1 }
    set { customScale = newValue }
  }

  /// The URL, nil for a request with the app's own data.
  public var url: URL? {
    if case .url(let url) = resource { url } else { nil }
  }

  /// A key of ``userInfo``.
  public struct UserInfoKey: Hashable, ExpressibleByStringLiteral, Sendable {
    /// The text of the key.
    public let rawValue: String

    /// A key by its text.
    public init(_ rawValue: String) { self.rawValue = rawValue }
    /// A key by a literal: `"com.example.key"`.
    public init(stringLiteral value: String) { rawValue = value }
  }
}

extension ImageRequest: ExpressibleByStringLiteral {
  /// A request of a URL by its text, without processors.
  public init(stringLiteral value: String) {
    self.init(url: URL(string: value))
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
