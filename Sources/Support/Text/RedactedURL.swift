/// A URL as a message or a log may show it: without user info, query, fragment and values of path parameters, of a
/// `data:` URL only the scheme. Where a password may reach into the path, nothing behind the scheme is shown.
package struct RedactedURL: Sendable, Hashable, CustomStringConvertible {
  package let description: String

  /// Accepts any text, since the URL that cannot be parsed is the one a message is about. Of a long one the beginning
  /// is looked at.
  ///
  /// - Parameters:
  ///   - limit: Unicode scalars of the URL that are shown; a longer one ends in an ellipsis.
  ///   - escapes: shows characters that would move the cursor or turn the text of a terminal as `\u{...}`.
  package init(_ url: String, limit: Int = 300, escapes: Bool = true) {
    let shown = Self.withoutSecrets(
      Array(url.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })[...])
    // A path has parameters, too: `;jsessionid=...`. A scalar has four bytes at most.
    let masked = SecretMask.masked(shown.prefix(4 * limit + 4))
    description = Self.cut(String(decoding: masked, as: UTF8.self), at: limit, escapes: escapes)
  }

  /// `text` with control and direction characters as escapes, cut like a URL.
  package static func escaped(_ text: some StringProtocol) -> String {
    cut(String(text), at: 300, escapes: true)
  }

  private static func withoutSecrets(_ url: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard
      let scheme = url.indices.first(where: {
        url[$0] == UInt8(ascii: ":") && url[$0...].starts(with: "://".utf8)
      })
    else {
      // The whole content of a `data:` URL stands in its path.
      if String(decoding: url.prefix(5), as: UTF8.self).lowercased() == "data:" {
        return Array("data:...".utf8)[...]
      }
      return url.lastIndex(of: UInt8(ascii: "@")).map { Array("...".utf8) + url[$0...] } ?? url
    }
    let start = scheme + 3
    let end = url[start...].firstIndex(of: UInt8(ascii: "/")) ?? url.endIndex
    let host = url[start..<end].lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? start
    // "user:pa/ss@host" or "user:pa?ss@host": what looks like the port is a part of the password.
    let tail = url[host..<end].lastIndex(of: UInt8(ascii: "]")) ?? host
    let port = url[tail..<end].firstIndex(of: UInt8(ascii: ":")).map { url[($0 + 1)..<end] } ?? []
    return url[..<start] + (port.allSatisfy(\.isDigit) ? url[host...] : Array("...".utf8)[...])
  }

  private static func cut(_ text: String, at limit: Int, escapes: Bool) -> String {
    let end =
      text.unicodeScalars.index(text.startIndex, offsetBy: limit, limitedBy: text.endIndex) ?? text.endIndex
    let kept = String(text[..<end])
    return (escapes ? SafeText.escape(kept) : kept) + (end < text.endIndex ? "..." : "")
  }
}
