import Text

/// What stands first in a key: the request's URL as the app's `URL(string:)` holds it, unless the
/// app overrides it. On systems before iOS 17 invalid text is no URL and so the empty ID.
public struct ImageID: Hashable, Sendable {
  /// `absoluteString`.
  public let text: String
  /// The URL's text was not valid and was changed (``CacheCore/URLText``).
  public let wasRepaired: Bool

  /// Nil where `URL(string:)` is: Nuke takes the empty ID then, and loads nothing.
  public init?(urlText: String) {
    guard let url = URLText(urlText) else { return nil }
    text = url.text
    wasRepaired = url.wasRepaired
  }

  /// The ID's text alone.
  public static func make(urlText: String) -> String? { ImageID(urlText: urlText)?.text }
}
