/// A URL as a message or a log may show it: without user info, query, fragment and values of path parameters, of a
/// `data:` URL only the scheme. Where a password may reach into the path, nothing behind the scheme is shown.
package struct RedactedURL: Sendable, Hashable, CustomStringConvertible {
  package let description: String

  /// Accepts any text, since the URL that cannot be parsed is the one a message is about.
  ///
  /// - Parameters:
  ///   - limit: Unicode scalars of the URL that are shown; a longer one ends in an ellipsis.
  ///   - escapes: shows characters that would move the cursor or turn the text of a terminal as `\u{...}`.
  package init(_ url: String, limit: Int = 300, escapes: Bool = true) {
    // A path has parameters, too: `;jsessionid=...`.
    let shown = URLRedaction.redacted(Self.withoutSecrets(url.prefix { $0 != "?" && $0 != "#" }))
    description = Self.cut(shown, at: limit, escapes: escapes)
  }

  /// `text` with control and direction characters as `\u{...}`, cut like a URL.
  package static func escaped(_ text: some StringProtocol) -> String {
    cut(String(text), at: 300, escapes: true)
  }

  private static func withoutSecrets(_ url: Substring) -> String {
    guard let schemeEnd = url.firstOccurrence(of: "://")?.upperBound else {
      // The whole content of a `data:` URL stands in its path.
      if url.prefix(5).lowercased() == "data:" { return "data:..." }
      return url.lastIndex(of: "@").map { "...\(url[$0...])" } ?? String(url)
    }
    let authority = url[schemeEnd...].prefix { $0 != "/" }
    let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    // "user:pa/ss@host" or "user:pa?ss@host": what looks like the port is a part of the password.
    guard hasPlainPort(host) else { return "\(url[..<schemeEnd])..." }
    return "\(url[..<schemeEnd])\(host)\(url[authority.endIndex...])"
  }

  private static func hasPlainPort(_ host: Substring) -> Bool {
    let tail = host.lastIndex(of: "]").map { host[host.index(after: $0)...] } ?? host
    guard let colon = tail.firstIndex(of: ":") else { return true }
    return tail[tail.index(after: colon)...].allSatisfy { $0.isASCII && $0.isNumber }
  }

  private static func cut(_ text: String, at limit: Int, escapes: Bool) -> String {
    let scalars = text.unicodeScalars
    let isLong = scalars.count > limit
    let kept = isLong ? String(scalars.prefix(limit)) : text
    let spelled = escapes ? SafeText.escape(kept) { "\\u{\(String($0.value, radix: 16))}" } : kept
    return spelled + (isLong ? "..." : "")
  }
}
