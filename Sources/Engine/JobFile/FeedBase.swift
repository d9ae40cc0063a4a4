import Feeds
import Foundation
import Syntax
import Text

/// The URL that paths in a catalogue begin at (RFC 3986, section 5.2): its own, or the one of `base=`.
struct FeedBase: Sendable {
  /// `https:`
  private let scheme: String
  /// `https://shop.example`
  private let origin: String
  /// Of the path, up to its last slash.
  private let folders: [Substring]

  /// Nil for what is not an http or https URL.
  init?(_ text: String) {
    guard FeedFormat.isWeb(text), let url = URL(string: text), !(url.host ?? "").isEmpty else { return nil }
    let path = text.prefix { $0 != "?" && $0 != "#" }
    scheme = path.prefix { $0 != ":" } + ":"
    let host = path.dropFirst(scheme.count + 2).prefix { $0 != "/" }
    origin = scheme + "//" + host
    folders = path.dropFirst(origin.count).split(separator: "/", omittingEmptySubsequences: false).dropFirst()
      .dropLast()
  }

  /// A URL as it is, and a path as a URL.
  ///
  /// - Parameter isNamed: the job names the base, so that words without a slash are paths too.
  func resolved(_ text: ArraySlice<UInt8>, isNamed: Bool) -> ArraySlice<UInt8> {
    let path = String(decoding: text, as: UTF8.self)
    let whole: String
    if path.hasPrefix("//") {
      whole = scheme + path
    } else if path.hasPrefix("/") {
      whole = origin + path
    } else if path.hasPrefix("./") || path.hasPrefix("../") || isNamed && !Self.hasScheme(path) {
      whole = origin + "/" + joined(path)
    } else {
      return text
    }
    return Array(whole.utf8)[...]
  }

  /// Behind the base's own folders.
  private func joined(_ path: String) -> String {
    var (folders, rest) = (folders, path[...])
    while rest.hasPrefix("./") || rest.hasPrefix("../") {
      if rest.hasPrefix("../") { _ = folders.popLast() }
      rest = rest.drop { $0 != "/" }.dropFirst()
    }
    return (folders + [rest]).joined(separator: "/")
  }

  private static func hasScheme(_ text: String) -> Bool {
    let name = text.prefix { $0 != ":" }
    return name.endIndex < text.endIndex
      && name.utf8.allSatisfy { $0.isLetterOrDigit || "+-.".utf8.contains($0) }
  }
}

/// Whether rows that begin with a slash are files: where other rows are URLs of servers, they are paths there. Rows are
/// held until one tells.
struct FeedPaths {
  enum Kind { case unknown, files, web }

  private(set) var kind = Kind.unknown
  private var held: [FeedRow] = []

  /// A catalogue of files has shown that by then.
  private static let mostHeld = (rows: 1000, bytes: 16 << 20)
  private var heldBytes = 0

  /// - Returns: the rows that can be read now, in their order.
  mutating func take(_ row: FeedRow, _ sources: [FieldTemplate.Text]) -> [FeedRow] {
    guard kind == .unknown else { return [row] }
    if sources.contains(where: {
      $0.text.starts(with: "http://".utf8) || $0.text.starts(with: "https://".utf8)
    }) {
      return finish(as: .web) + [row]
    }
    let isPath = sources.contains { $0.text.first == UInt8(ascii: "/") }
    guard isPath || !held.isEmpty else { return [row] }
    held.append(row)
    heldBytes += row.size
    let isFull = held.count >= Self.mostHeld.rows || heldBytes >= Self.mostHeld.bytes
    return isFull ? finish(as: .files) : []
  }

  mutating func finish(as kind: Kind = .files) -> [FeedRow] {
    if self.kind == .unknown { self.kind = kind }
    defer { held = [] }
    return held
  }
}

/// `https://e.com/1.jpg, https://e.com/2.jpg`
enum SeveralURLs {
  /// The mark between the URLs of one text; nil for one URL. Servers of pictures have URLs within URLs, behind a slash
  /// or an equals sign.
  /// - Returns: as `split=` takes it.
  static func separator(in text: ArraySlice<UInt8>) -> String? {
    let isPath = text.first == UInt8(ascii: "/")
    var end = text.startIndex
    // The spaces behind a mark have the same text behind them.
    for index in text.indices where index >= end && ",;| \n".utf8.contains(text[index]) {
      let rest = text[index...].dropFirst()
      let next = rest.drop { $0 == UInt8(ascii: " ") }
      end = next.startIndex
      let isURL = next.starts(with: "https://".utf8) || next.starts(with: "http://".utf8)
      if isURL || isPath && next.first == UInt8(ascii: "/") && next.startIndex > rest.startIndex {
        return text[index] == 10 ? lines : String(decoding: text[index...index], as: UTF8.self)
      }
    }
    return nil
  }

  /// A job line holds no line end, so that a word stands for it.
  private static let lines = "lines"

  static func bytes(ofSeparator text: String) -> [UInt8] { text == lines ? [10] : Array(text.utf8) }
}

extension ArraySlice<UInt8> {
  /// The parts between separators, without white space around them; empty ones are left out.
  func parts(between separator: [UInt8], most: Int) -> [ArraySlice<UInt8>] {
    var (parts, start, index) = ([ArraySlice<UInt8>](), startIndex, startIndex)
    while index < endIndex, parts.count < most {
      guard self[index...].starts(with: separator) else {
        index += 1
        continue
      }
      parts.append(self[start..<index])
      index += separator.count
      start = index
    }
    return (parts + [self[start...]]).compactMap { part in
      let isSpace = { LineScanner.isSpace($0) || $0 == 10 || $0 == 13 }
      let text = part.drop(while: isSpace)
      return text.lastIndex { !isSpace($0) }.map { text[...$0] }
    }
  }
}
