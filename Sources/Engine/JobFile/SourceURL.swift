import ClientKit
import Foundation
import Syntax
import Text

/// The source of a job line, as the app will hold it.
struct SourceURL {
  /// `absoluteString` of the app's `URL`: the beginning of every key.
  var key: String
  var scheme: SourceScheme
  /// `URL(string:)` had to percent-encode something, so the key is not the text in the job.
  var isRewritten = false
  /// It may have user information or a query: worth a look for secrets.
  var isSuspect: Bool
}

extension SourceURL {
  /// - Parameter folder: what relative paths begin at.
  init(
    _ scanner: inout LineScanner, folder: String, table: SettingTable, roots: TrustedRoots?
  ) throws(Mistake) {
    let start = scanner.position
    if scanner.next == UInt8(ascii: "\"") {
      let text = try scanner.quoted()
      try scanner.expectBreak()
      try self.init(text: text, at: start, folder: folder, table: table, roots: roots)
      return
    }
    try self.init(field: scanner.word(), at: start, folder: folder, table: table, roots: roots)
  }

  /// Text that is a source as a whole: a word of a line, or the field of a row.
  init(
    field word: ArraySlice<UInt8>, at start: Int, folder: String, table: SettingTable, roots: TrustedRoots?
  ) throws(Mistake) {
    if let (scheme, hasQuery) = Self.plain(word) {
      self.init(key: String(decoding: word, as: UTF8.self), scheme: scheme, isSuspect: hasQuery)
    } else if Self.isPlainPath(word) {
      self.init(key: "file://" + String(decoding: word, as: UTF8.self), scheme: .file, isSuspect: false)
    } else if word.starts(with: "file://".utf8), Self.isPlainPath(word.dropFirst(7)) {
      self.init(key: String(decoding: word, as: UTF8.self), scheme: .file, isSuspect: false)
    } else {
      try self.init(
        text: String(decoding: word, as: UTF8.self), at: start, folder: folder, table: table, roots: roots)
    }
  }

  /// It may be meant as the name of a folder.
  private static let homeHelp = "a folder that is called ~ is written ./~"

  /// The full check; ``plain(_:)`` has taken the usual URLs out of its way.
  private init(
    text: String, at place: Int, folder: String, table: SettingTable, roots: TrustedRoots?
  ) throws(Mistake) {
    // For an app's `URL(string:)` this is a host without a scheme, and its key begins with the slashes.
    if text.hasPrefix("//") {
      throw Mistake(
        place,
        "\(Mistake.quote(text)) names no scheme: the app's key would begin with '//', a path's with 'file:///'",
        help: "for a host write https:\(Mistake.shown(text)), for a path a single slash")
    }
    let isOfHome = text.hasPrefix("~/")
    if text.hasPrefix("/") || text.hasPrefix("./") || text.hasPrefix("../") || isOfHome {
      let path = PathText.absolute(text, in: folder)
      guard !isOfHome || PathText.home != nil else { throw Mistake(place, .homeless, help: Self.homeHelp) }
      let url = URL(fileURLWithPath: path, isDirectory: false)
      self.init(key: url.absoluteString, scheme: .file, isSuspect: false)
      guard isOfHome, let home = PathText.home else { return }
      // Before it is looked at: a job must not find out which files there are elsewhere.
      try checkTrust(roots, at: place)
      if access(path, F_OK) == 0 { return }
      throw Mistake(
        place, "~ is the home folder, and \(Mistake.quote(home)) has no such file", help: Self.homeHelp)
    }
    let name = text.prefix { $0 != ":" }
    guard name.utf8.count < text.utf8.count else {
      throw .noSource(Mistake.quote(text), at: place)
    }
    guard let scheme = SourceScheme(rawValue: name.lowercased()) else {
      let keyword = table.row(ofJobWord: String(name)).map { "a setting has no colon: \($0.example)" }
      throw Mistake(
        place, "sources cannot have the scheme \(Mistake.quote(String(name)))",
        help: keyword ?? "http, https, file and data are possible")
    }
    guard let id = URLText(text), let url = URL(string: id.text) else {
      throw Mistake(place, "this is not a URL", help: "check its host and port, and percent-encode the rest")
    }
    switch scheme {
    case .http, .https:
      if (url.host ?? "").isEmpty {
        throw Mistake(place, "this URL has no host", help: "\(scheme)://img.example.com/1.jpg")
      }
    case .file:
      if url.path.isEmpty, text.contains("%") {
        throw Mistake(
          place, "the percent-encoded bytes of this file URL are not UTF-8",
          help: "an é is %C3%A9; a file whose name is not UTF-8 has to be renamed")
      }
      if !["", "localhost"].contains(url.host ?? "") || !url.path.hasPrefix("/") {
        throw Mistake(
          place, "a file URL names no host and has an absolute path",
          help: "write three slashes: file:///srv/1.png; or ./1.png")
      }
    case .data:
      if !text.contains(",") {
        throw Mistake(place, "a data URL needs a comma before its data", help: "data:image/png;base64,...")
      }
    }
    self.init(key: id.text, scheme: scheme, isRewritten: id.wasRepaired, isSuspect: scheme != .data)
  }

  /// A spelling that is hardly meant, though it is a URL.
  var oddity: (message: String, help: String)? {
    guard scheme.isWeb, isSuspect || key.utf8.last == UInt8(ascii: ",") else { return nil }
    let bytes = Array(key.utf8)
    if bytes.last == UInt8(ascii: ",") {
      return ("this URL ends with a comma", "take it out, unless it is meant")
    }
    let rest = bytes.dropFirst(scheme == .https ? 8 : 7)
    if rest.starts(with: "http://".utf8) || rest.starts(with: "https://".utf8) {
      return ("this URL begins with its scheme twice", "take one of them out")
    }
    let host = rest.prefix { $0 != 0x2F && $0 != 0x3F && $0 != 0x23 }  // up to a slash, ? or #
    if let colon = host.lastIndex(of: UInt8(ascii: ":")), host[colon...].dropFirst().allSatisfy(\.isDigit),
      (Int(String(decoding: host[colon...].dropFirst(), as: UTF8.self)) ?? 0) > 65_535
    {
      return ("the port of this URL is above 65535", "no server has such a port")
    }
    if bytes.indices.contains(where: {
      bytes[$0] == UInt8(ascii: "&") && bytes[$0...].starts(with: "&amp;".utf8)
    }) {
      return ("this URL has '&amp;', as HTML writes '&'", "write & alone, unless the server wants it so")
    }
    return nil
  }

  static func isPlain(_ word: ArraySlice<UInt8>) -> Bool { plain(word) != nil }

  /// Whether `word` is an http or https URL with a plain host that is valid as it stands (RFC 3986),
  /// so that `URL(string:)` would not change it. Foundation is too slow to ask a million times.
  private static func plain(_ word: ArraySlice<UInt8>) -> (SourceScheme, hasQuery: Bool)? {
    word.withUnsafeBufferPointer { bytes -> (SourceScheme, hasQuery: Bool)? in
      let isSecure = bytes.count > 8 && bytes[4] == UInt8(ascii: "s")
      var index = isSecure ? 8 : 7
      guard bytes.count > index,
        bytes[..<index].elementsEqual(isSecure ? "https://".utf8 : "http://".utf8)
      else { return nil }
      let host = index
      while index < bytes.count, isHost(bytes[index]) { index += 1 }
      guard index > host, bytes[host] != UInt8(ascii: "."), bytes[host] != UInt8(ascii: "-") else {
        return nil
      }
      if index + 1 < bytes.count, bytes[index] == UInt8(ascii: ":") {
        index += 1
        let port = index
        while index < bytes.count, index - port < 6, bytes[index].isDigit { index += 1 }
        // Six digits, or none, are left to the full check, and so is a number that might be too large.
        guard (1...5).contains(index - port), bytes[port] != 48, index - port < 5 || bytes[port] < 54 else {
          return nil
        }
      }
      if index < bytes.count, bytes[index] != UInt8(ascii: "/") { return nil }
      var hasQuery = false
      while index < bytes.count {
        let byte = bytes[index]
        if byte == UInt8(ascii: "?") {
          hasQuery = true
        } else if byte == UInt8(ascii: "%") {
          guard index + 2 < bytes.count, bytes[index + 1].isHexadecimalDigit,
            bytes[index + 2].isHexadecimalDigit
          else { return nil }
        } else if !isPath(byte) {
          return nil
        }
        index += 1
      }
      return (isSecure ? .https : .http, hasQuery)
    }
  }

  /// Whether `word` is an absolute path with nothing to encode and nothing to tidy up.
  private static func isPlainPath(_ word: ArraySlice<UInt8>) -> Bool {
    guard word.count > 1, word.first == UInt8(ascii: "/"), word.last != UInt8(ascii: "/") else {
      return false
    }
    return word.withUnsafeBufferPointer { bytes in
      for index in bytes.indices {
        let byte = bytes[index]
        if byte == UInt8(ascii: "/"), "./".utf8.contains(bytes[index + 1]) { return false }
        guard isHost(byte) || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "_") else { return false }
      }
      return true
    }
  }

  private static func isHost(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit || byte == 45 || byte == 46
  }

  /// `pchar` and `/`: a bit for each ASCII character.
  private static func isPath(_ byte: UInt8) -> Bool {
    guard byte < 128 else { return false }
    let bits: UInt64 = byte < 64 ? 0x2FFF_FFD2_0000_0000 : 0x47FF_FFFE_87FF_FFFF
    return bits >> UInt64(byte & 63) & 1 == 1
  }
}

extension String {
  /// `~` in an environment without a home.
  static let homeless = "~ is the home folder, and HOME does not name one"
}

/// A URL or a path with white space and without quotes: what follows the first space reads as unknown chains.
enum SpacedURL {
  /// Looks at a line that is wrong behind its source.
  ///
  /// - Parameter source: where the source stands as it was read.
  /// - Returns: nil where nothing in the rest looks like a part of the source.
  static func mistake(in bytes: ArraySlice<UInt8>, source: Range<Int>) -> Mistake? {
    // Up to a comment.
    let words = bytes[source.upperBound...].split(whereSeparator: LineScanner.isSpace).prefix(64)
      .prefix { $0.first != UInt8(ascii: "#") }
    guard bytes[source.lowerBound] != UInt8(ascii: "\""), let last = words.last(where: isRest) else {
      return nil
    }
    let whole = Mistake.shown(String(decoding: bytes[source.lowerBound..<last.endIndex], as: UTF8.self))
    let isPath = "/.".utf8.contains(bytes[source.lowerBound])
    return Mistake(
      source.upperBound, "this \(isPath ? "path" : "URL") has white space in it",
      help: "put all of it in double quotes: \"\(whole)\"" + (isPath ? "" : ", or write %20 for each space"))
  }

  /// Whether a word is more likely a part of a URL than a chain or an option.
  private static func isRest(_ word: ArraySlice<UInt8>) -> Bool {
    let text = String(decoding: word, as: UTF8.self)
    guard !text.contains("://"), !text.contains("\""), !text.contains("|"), let last = text.last,
      !"),".contains(last)
    else { return false }
    if let equals = word.firstIndex(of: UInt8(ascii: "=")), LineOption.named(word[..<equals]) != nil {
      return false
    }
    return text.contains { "/?%&".contains($0) } || text.contains(".") && last.isLetter
  }
}
