/// Names of query items, `*` standing for any run of characters: `token`, `X-Amz-*`. Those without a `*` are looked up, so
/// that a URL takes as long however many there are.
package struct QueryNames: Hashable, Sendable, ExpressibleByArrayLiteral {
  private var plain: Set<ByteText> = []
  private var patterns: [String] = []

  package init(_ names: some Sequence<String>) {
    for name in names {
      if name.utf8.contains(UInt8(ascii: "*")) {
        patterns.append(name)
      } else {
        plain.insert(ByteText(name))
      }
    }
  }

  package init(arrayLiteral names: String...) { self.init(names) }

  /// Whether any of them means `name`, as it stands in a URL. Case counts, as it does for servers.
  package func contains(_ name: ArraySlice<UInt8>) -> Bool {
    patterns.contains { Self.matches($0, name) }
      || !plain.isEmpty && plain.contains(ByteText(String(decoding: name, as: UTF8.self)))
  }

  /// Each text between two `*` is taken where it comes first: what fits there leaves the most for the rest.
  private static func matches(_ pattern: String, _ name: ArraySlice<UInt8>) -> Bool {
    let parts = pattern.utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
    var scanner = KeyScanner(name)
    guard let last = parts.last, scanner.take(String(Substring(parts[0]))) else { return false }
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let start = scanner.index(of: String(Substring(part))) else { return false }
      scanner.move(to: start + part.count)
    }
    return scanner.rest.count >= last.count && scanner.rest.suffix(last.count).elementsEqual(last)
  }

  /// `url` without the query items that any of them means; what is left keeps its bytes.
  ///
  /// When nothing is left of the query its `?` goes too. A fragment stays.
  package func strip(_ url: String) -> String {
    if plain.isEmpty, patterns.isEmpty { return url }
    let bytes = Array(url.utf8)
    let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.count
    guard let mark = bytes[..<end].firstIndex(of: UInt8(ascii: "?")) else { return url }
    let items = bytes[(mark + 1)..<end].split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
    let kept = items.filter { item in
      let name = item.prefix { $0 != UInt8(ascii: "=") }
      return !contains(name)
    }
    if kept.count == items.count { return url }
    var result = Array(bytes[..<mark])
    if !kept.isEmpty {
      result.append(UInt8(ascii: "?"))
      result.append(contentsOf: kept.joined(separator: [UInt8(ascii: "&")]))
    }
    result.append(contentsOf: bytes[end...])
    return String(decoding: result, as: UTF8.self)
  }
}
