import Feeds
import Foundation
import Syntax

/// The URL that paths in a catalogue begin at (RFC 3986, section 5.2): its own, or the one of `base=`.
struct FeedBase: Sendable {
  private let url: URL

  /// Nil for what is not an http or https URL.
  init?(_ text: String) {
    guard FeedFormat.isWeb(text), let url = URL(string: text), !(url.host ?? "").isEmpty else { return nil }
    self.url = url
  }

  /// A URL as it is, and a path as a URL.
  ///
  /// - Parameter isNamed: the job names the base, so that words without a slash are paths too.
  func resolved(_ text: ArraySlice<UInt8>, isNamed: Bool) -> ArraySlice<UInt8> {
    let path = String(decoding: text, as: UTF8.self)
    guard ["/", "./", "../"].contains(where: path.hasPrefix) || isNamed && !Self.hasScheme(path),
      let whole = URL(string: path, relativeTo: url)
    else { return text }
    return Array(whole.absoluteURL.standardized.absoluteString.utf8)[...]
  }

  private static func hasScheme(_ text: String) -> Bool {
    let name = text.prefix { $0 != ":" }
    return name.endIndex < text.endIndex
      && name.utf8.allSatisfy { $0.isLetterOrDigit || "+-.".utf8.contains($0) }
  }
}

extension ArraySlice<UInt8> {
  /// `https://e.com/1.jpg, https://e.com/2.jpg`. Servers of pictures have URLs within URLs, behind a slash or an equals
  /// sign.
  var holdsSeveralURLs: Bool {
    split { ",;| \r\n".utf8.contains($0) }.dropFirst().contains {
      $0.starts(with: "https://".utf8) || $0.starts(with: "http://".utf8)
    }
  }

  /// The parts between separators, without white space around them; empty ones are left out.
  func parts(between separator: [UInt8], most: Int) -> [ArraySlice<UInt8>] {
    split(separator: separator, maxSplits: most).compactMap { part in
      let isSpace = { LineScanner.isSpace($0) || $0 == 10 || $0 == 13 }
      let text = part.drop(while: isSpace)
      return text.lastIndex { !isSpace($0) }.map { text[...$0] }
    }
  }
}
