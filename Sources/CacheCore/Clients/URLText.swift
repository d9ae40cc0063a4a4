import Foundation

/// A URL's text as an app's `URL(string:)` holds it: what both clients make their keys from.
///
/// Valid text (RFC 3986) stays as it is: no case, port, dot segment or query is changed. Anything else
/// becomes what Foundation of iOS 17 and later makes of it (percent-encoded UTF-8, punycode hosts);
/// older systems have no URL there.
public struct URLText: Hashable, Sendable {
  /// `absoluteString`.
  public let text: String
  /// The text was not valid and was changed: the app may not see the key that its author
  /// expects, and on systems before iOS 17 it sees another.
  public let wasRepaired: Bool

  /// Nil where `URL(string:)` is.
  public init?(_ urlText: String) {
    if Self.isPlainWebAddress(urlText) {
      text = urlText
      wasRepaired = false
      return
    }
    guard let url = URL(string: urlText) else { return nil }
    text = url.absoluteString
    // UTF-8 against UTF-8: `==` of strings would take two Unicode normal forms for one.
    wasRepaired = !text.utf8.elementsEqual(urlText.utf8)
  }
}
