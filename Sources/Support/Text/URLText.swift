import Foundation

/// A URL's text as an app's `URL(string:)` holds it: what both clients make their keys from.
///
/// Valid text (RFC 3986) stays as it is: no case, port, dot segment or query is changed. Anything else
/// becomes what Foundation of iOS 17 and later makes of it (percent-encoded UTF-8, punycode hosts);
/// older systems have no URL there.
package struct URLText: Hashable, Sendable {
  /// `absoluteString`.
  package let text: String
  /// The text was not valid and was changed: the app may not see the key that its author
  /// expects, and on systems before iOS 17 it sees another.
  package let wasRepaired: Bool

  /// Nil where `URL(string:)` is.
  package init?(_ urlText: String) {
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

  /// True for the http and https URLs that need no second look: a host name with or without a port,
  /// and after it only what RFC 3986 allows unencoded. False says nothing.
  ///
  /// It spares most lines of a job a `URL`, which costs more than all the rest of a key.
  static func isPlainWebAddress(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      var rest = bytes[...]
      guard dropScheme(&rest), dropHost(&rest) else { return false }
      return isPlainPath(rest)
    }
  }

  private static func dropScheme(_ rest: inout Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    for scheme in ["https://", "http://"] where rest.count > scheme.utf8.count {
      // Setting bit 5 makes letters lower-case and leaves colon and slash alone.
      if zip(rest, scheme.utf8).allSatisfy({ $0 | 0x20 == $1 }) {
        rest = rest.dropFirst(scheme.utf8.count)
        return true
      }
    }
    return false
  }

  /// A name or IPv4 address, then perhaps a colon and digits.
  private static func dropHost(_ rest: inout Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    let host = rest.prefix { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }
    rest = rest.dropFirst(host.count)
    if rest.first == UInt8(ascii: ":") {
      rest = rest.dropFirst().drop(while: \.isDigit)
    }
    return !host.isEmpty
  }

  /// Path, query and fragment; empty, or begun by one of their delimiters.
  private static func isPlainPath(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    guard let first = bytes.first else { return true }
    guard "/?#".utf8.contains(first) else { return false }
    var index = bytes.startIndex
    var sawFragment = false
    while index < bytes.endIndex {
      switch bytes[index] {
      case UInt8(ascii: "%"):
        guard bytes[index...].dropFirst().prefix(2).filter(\.isHexadecimalDigit).count == 2 else {
          return false
        }
        index += 2
      case UInt8(ascii: "#"):
        if sawFragment { return false }
        sawFragment = true
      case let byte where byte.isLetterOrDigit || plainPunctuation.contains(byte): break
      default: return false
      }
      index += 1
    }
    return true
  }

  /// RFC 3986, sections 2.2, 2.3 and 3.3: unreserved, sub-delims, and what paths and queries add.
  private static let plainPunctuation = Set("-._~!$&'()*+,;=:@/?".utf8)
}
