import Text

/// A URL written as the server writes it to itself before it checks a signature.
///
/// libcurl 7.88 signs path and query as they stand. That is right only where every byte but the unreserved ones
/// (RFC 3986, section 2.3) is percent-encoded, the query is in order and each of its names has a `=`.
struct CanonicalURL {
  let text: String

  /// - Parameter url: absolute, without fragment.
  init(_ url: String) {
    guard let authority = url.firstRange(of: "://")?.upperBound else {
      text = url
      return
    }
    let pathStart = url[authority...].firstIndex { $0 == "/" || $0 == "?" } ?? url.endIndex
    let queryStart = url[pathStart...].firstIndex(of: "?") ?? url.endIndex
    let path = Self.encoded(url[pathStart..<queryStart], keepsSlash: true)
    let query = url[queryStart...].dropFirst().split(separator: "&")
    let items = query.map { item in
      let name = item.prefix { $0 != "=" }
      return (
        name: Self.encoded(name, keepsSlash: false),
        value: Self.encoded(item[name.endIndex...].dropFirst(), keepsSlash: false)
      )
    }
    let sorted = items.sorted { ($0.name, $0.value) < ($1.name, $1.value) }.map { "\($0.name)=\($0.value)" }
    text =
      "\(url[..<pathStart])\(path.isEmpty ? "/" : path)\(sorted.isEmpty ? "" : "?")\(sorted.joined(separator: "&"))"
  }

  /// Decoded, so that nothing is encoded twice, and encoded again. An encoded slash in a path becomes a plain one,
  /// since to the server both are the same character of an object's name.
  private static func encoded(_ text: Substring, keepsSlash: Bool) -> String {
    PercentText.encoded(PercentText.lenientBytes(Array(text.utf8)[...])[...]) { byte in
      isUnreserved(byte) || (keepsSlash && byte == UInt8(ascii: "/"))
    }
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit || "-._~".utf8.contains(byte)
  }
}
