import Text

/// A key as `NSURL` takes it apart: what iOS 17 and later make of any text (``URLText``), and RFC 3986 of its parts.
package struct KeyURL {
  /// Scheme and authority with their delimiters, as they stand in the text.
  private let head: ArraySlice<UInt8>
  /// Query and fragment with their delimiters.
  private let tail: ArraySlice<UInt8>
  /// Decoded; nil where the URL has no hierarchy (`data:`, `photo:1`) or its path is not UTF-8.
  package let path: [UInt8]?
  package let isFile: Bool

  /// Nil where `NSURL(string:)` is.
  package init?(_ key: String) {
    guard let held = URLText(key)?.text else { return nil }
    let text = Array(held.utf8)
    let schemeEnd = Self.schemeEnd(text)
    var start = schemeEnd ?? 0
    if text[start...].starts(with: "//".utf8) {
      start = text[(start + 2)...].firstIndex { "/?#".utf8.contains($0) } ?? text.endIndex
    }
    let end =
      text[start...].firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? text.endIndex
    head = text[..<start]
    tail = text[end...]
    isFile =
      schemeEnd == 5 && text[..<5].map { $0 | 0x20 }.elementsEqual("file:".utf8.map { $0 | 0x20 })
    let encoded = text[start..<end]
    let isOpaque = schemeEnd == start && encoded.first != UInt8(ascii: "/")
    path = isOpaque && schemeEnd != nil ? nil : Self.decoded(encoded)
  }

  /// `NSURL.pathExtension`: nil where there is no path.
  package var pathExtension: [UInt8]? { path.map { KeyPath.pathExtension($0) ?? [] } }

  /// The URL with another path, which is encoded as `NSURLComponents` does it.
  package func text(withPath path: [UInt8]) -> String {
    String(decoding: plainHead, as: UTF8.self) + Self.encoded(path, isRelative: head.isEmpty)
      + String(decoding: tail, as: UTF8.self)
  }

  /// `NSURLComponents` holds a port as a number: zeros before it go, and a colon with nothing behind it.
  private var plainHead: ArraySlice<UInt8> {
    guard let colon = head.lastIndex(where: { !$0.isDigit }),
      head[colon] == UInt8(ascii: ":"),
      head[..<colon].contains(UInt8(ascii: "/"))
    else { return head }
    let port = head[(colon + 1)...]
    return port.isEmpty
      ? head[..<colon] : head[...colon] + port.dropLast().drop { $0 == UInt8(ascii: "0") } + port.suffix(1)
  }

  /// Behind the colon; nil for a relative reference.
  private static func schemeEnd(_ text: [UInt8]) -> Int? {
    guard let colon = text.firstIndex(where: { ":/?#".utf8.contains($0) }), text[colon] == UInt8(ascii: ":"),
      let first = text.first, first.isLetter
    else { return nil }
    return colon + 1
  }

  private static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    guard text.contains(UInt8(ascii: "%")) else { return Array(text) }
    let bytes = PercentText.lenientBytes(text)
    // Bytes that are not UTF-8 would change in a string.
    return String(decoding: bytes, as: UTF8.self).utf8.elementsEqual(bytes) ? bytes : nil
  }

  /// Whether `URLComponents` of iOS 17 leaves a byte of a path as it is: unreserved, sub-delims, and what RFC 3986 adds
  /// in paths.
  private static func isPlain(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit || "-._~!$&'()*+,;=:@/".utf8.contains(byte)
  }

  /// - Parameter isRelative: without scheme and authority, so that a colon in the first part would make that a scheme.
  private static func encoded(_ path: [UInt8], isRelative: Bool) -> String {
    let first = isRelative ? path.prefix { $0 != UInt8(ascii: "/") } : path.prefix(0)
    return PercentText.encoded(first) { Self.isPlain($0) && $0 != UInt8(ascii: ":") }
      + PercentText.encoded(path[first.endIndex...], isPlain: Self.isPlain)
  }
}
