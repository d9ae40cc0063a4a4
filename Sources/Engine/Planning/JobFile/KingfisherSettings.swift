import KingfisherCache

/// What a Kingfisher job says about names and dates beside the client's version.
package struct KingfisherSettings: Hashable, Sendable {
  /// `style`
  package var style: KingfisherKeyFormat.Style = .options
  /// `path-extension`, `auto-extension`, `forced-extension`
  package var naming = FileNaming()
  /// `expires`: for entries that do not say it themselves.
  package var expiry = JobExpiry.never

  package init() {}
}
