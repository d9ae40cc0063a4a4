import CacheCore

/// A URL as a message may show it: without user info, query and fragment, and with every character
/// escaped that could move the cursor or turn the text of a terminal.
public struct RedactedURL: Sendable, Hashable, CustomStringConvertible {
  public let description: String

  /// Longest text that is shown; a longer one ends in an ellipsis.
  static let maxLength = 300

  /// Accepts any text, since the URL that cannot be parsed is the one a message is about.
  public init(_ url: String) {
    let bare = url.prefix { $0 != "?" && $0 != "#" }
    description = Self.escaped(Self.withoutUserInfo(bare))
  }

  private static func withoutUserInfo(_ url: Substring) -> String {
    guard let schemeEnd = url.firstRange(of: "://")?.upperBound else {
      let scheme = url.prefix { $0 != ":" }
      // The whole content of a `data:` URL stands in its path.
      if scheme.lowercased() == "data" { return "data:..." }
      return url.lastIndex(of: "@").map { "...\(url[$0...])" } ?? String(url)
    }
    let rest = url[schemeEnd...]
    let authority = rest.prefix { $0 != "/" }
    let path = rest[authority.endIndex...]
    let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    // "user:pa/ss@host" or "user:pa?ss@host": what looks like the port is a part of the password.
    guard hasPlainPort(host) else { return "\(url[..<schemeEnd])..." }
    return "\(url[..<schemeEnd])\(host)\(path)"
  }

  private static func hasPlainPort(_ host: Substring) -> Bool {
    let tail = host.lastIndex(of: "]").map { host[host.index(after: $0)...] } ?? host
    guard let colon = tail.firstIndex(of: ":") else { return true }
    return tail[tail.index(after: colon)...].allSatisfy { $0.isASCII && $0.isNumber }
  }

  /// `text` with control and direction characters as `\u{...}`, cut at ``maxLength``.
  static func escaped(_ text: some StringProtocol) -> String {
    let scalars = text.unicodeScalars
    guard let end = scalars.index(scalars.startIndex, offsetBy: maxLength, limitedBy: scalars.endIndex),
      end < scalars.endIndex
    else { return spelled(text) }
    return spelled(text[..<end]) + "..."
  }

  private static func spelled(_ text: some StringProtocol) -> String {
    SafeText.escape(String(text)) { "\\u{\(String($0.value, radix: 16))}" }
  }
}
