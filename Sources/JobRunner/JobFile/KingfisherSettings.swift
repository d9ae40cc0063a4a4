import KingfisherCache

/// What a Kingfisher job says about names and dates beside the client's version.
public struct KingfisherSettings: Hashable, Sendable {
  /// `style`
  public var style: KingfisherKeyFormat.Style = .options
  /// `path-extension`, `auto-extension`, `forced-extension`
  public var naming = FileNaming()
  /// `expires`: for entries that do not say it themselves.
  public var expiry = JobExpiry.never

  public init() {}
}
