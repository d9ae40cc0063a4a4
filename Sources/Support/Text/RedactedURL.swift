/// A URL as a message or a log may show it: without query and fragment, with `*` for user info and values of path
/// parameters, of a `data:` URL only the scheme.
package struct RedactedURL: Sendable, Hashable, CustomStringConvertible {
  package let description: String

  /// Accepts any text, since the URL that cannot be parsed is the one a message is about.
  ///
  /// - Parameters:
  ///   - limit: Unicode scalars of the URL that are shown; a longer one ends in an ellipsis.
  ///   - escapes: shows characters that would move the cursor or turn the text of a terminal as `\u{...}`.
  package init(_ url: String, limit: Int = 300, escapes: Bool = true) {
    let isData = url.utf8.prefix(5).map { $0 | 0x20 }.elementsEqual("data:".utf8)
    // A password may hold the signs that begin query and fragment, so what is hidden is hidden first.
    let shown = SecretMask.masked(Array((isData ? "data:..." : url).utf8)[...])
      .prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    description = Self.cut(String(decoding: shown, as: UTF8.self), at: limit, escapes: escapes)
  }

  /// `text` with control and direction characters as escapes, cut like a URL.
  package static func escaped(_ text: some StringProtocol) -> String {
    cut(String(text), at: 300, escapes: true)
  }

  private static func cut(_ text: String, at limit: Int, escapes: Bool) -> String {
    let end =
      text.unicodeScalars.index(text.startIndex, offsetBy: limit, limitedBy: text.endIndex) ?? text.endIndex
    let kept = String(text[..<end])
    return (escapes ? SafeText.escape(kept) : kept) + (end < text.endIndex ? "..." : "")
  }
}
