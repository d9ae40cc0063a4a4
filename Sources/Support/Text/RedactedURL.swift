/// A URL as a message may show it: without user info, query and fragment, and with every character
/// escaped that could move the cursor or turn the text of a terminal.
package struct RedactedURL: Sendable, Hashable, CustomStringConvertible {
  package let description: String

  /// Longest text that is shown; a longer one ends in an ellipsis.
  static let maxLength = 300

  /// Accepts any text, since the URL that cannot be parsed is the one a message is about.
  package init(_ url: String) {
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
  package static func escaped(_ text: some StringProtocol) -> String {
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

/// What everybody may read of a URL.
package enum PublicURL {
  private static let longest = 500

  /// Without user info, query and fragment; of a `data:` URL only the scheme.
  package static func text(_ url: String) -> String {
    let bare = url.prefix { $0 != "?" && $0 != "#" }
    guard let scheme = bare.firstRange(of: "://") else {
      return bare.prefix(5).lowercased() == "data:" ? "data:..." : cut(withoutUser(bare[...]))
    }
    let rest = bare[scheme.upperBound...]
    let authority = rest.prefix { $0 != "/" }
    // "user:pa/ss@host": what is taken for a path may be the rest of a password.
    let path = rest[authority.endIndex...]
    guard isHost(withoutUser(authority)) else { return "\(bare[..<scheme.upperBound])..." }
    return cut("\(bare[..<scheme.upperBound])\(withoutUser(authority))\(path)")
  }

  /// Host and, where it is written, port; nil where the URL has none.
  package static func host(_ url: String) -> String? {
    guard let scheme = url.firstRange(of: "://") else { return nil }
    let authority = url[scheme.upperBound...].prefix { !"/?#".contains($0) }
    let host = withoutUser(authority)
    return host.isEmpty || !isHost(host) ? nil : host.lowercased()
  }

  private static func withoutUser(_ text: Substring) -> String {
    text.lastIndex(of: "@").map { String(text[text.index(after: $0)...]) } ?? String(text)
  }

  private static func isHost(_ text: String) -> Bool {
    let tail = text.lastIndex(of: "]").map { text[text.index(after: $0)...] } ?? text[...]
    guard let colon = tail.firstIndex(of: ":") else { return true }
    return tail[tail.index(after: colon)...].allSatisfy { $0.isASCII && $0.isNumber }
  }

  private static func cut(_ text: String) -> String {
    text.unicodeScalars.count <= longest ? text : String(text.unicodeScalars.prefix(longest)) + "..."
  }
}
