/// A host as settings and configurations name it: a name or an address, and perhaps a port.
///
/// An IPv6 address stands in brackets, or alone where no port follows.
package struct HostText: Sendable {
  /// Without brackets.
  package let name: Substring
  package let port: UInt16?

  /// Nil where brackets or the port are wrong.
  package init?(_ text: Substring) {
    var rest = text
    if text.first == "[" {
      guard let close = text.lastIndex(of: "]") else { return nil }
      name = text[..<close].dropFirst()
      rest = text[close...].dropFirst()
    } else {
      let isAddress = text.utf8.count { $0 == UInt8(ascii: ":") } > 1
      name = isAddress ? text : text.prefix { $0 != ":" }
      rest = text[name.endIndex...]
    }
    port = rest.first == ":" ? UInt16(rest.dropFirst()) : nil
    guard !name.isEmpty, rest.isEmpty || port != nil else { return nil }
  }

  /// Whether it has the characters of an IPv6 address, or of a name in lower case; which are addresses is asked later.
  package var isPlain: Bool {
    if name.utf8.contains(UInt8(ascii: ":")) {
      return name.utf8.allSatisfy { $0.isHexadecimalDigit || ":.".utf8.contains($0) }
    }
    return name.utf8.allSatisfy { $0.isLowercaseLetter || $0.isDigit || "-._".utf8.contains($0) }
  }
}
