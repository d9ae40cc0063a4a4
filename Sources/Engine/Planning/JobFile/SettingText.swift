import NukeCache
import Pictures
import Text

/// Values of settings, as in a job, a flag or an environment variable.
enum SettingText {
  package static let policies: [(word: String, value: StoragePolicy)] =
    DataCachePolicy.allCases.map { ($0.rawValue, .client($0)) } + [("reachable", .reachable)]

  package static func client(_ scanner: inout LineScanner) throws(Mistake) -> CacheClient {
    let start = scanner.position
    let name = String(decoding: scanner.word(), as: UTF8.self)
    let isNuke = name == "nuke"
    guard isNuke || name == "kingfisher" else {
      throw Mistake(
        start, name.isEmpty ? "a client is missing" : "no client is called \(Mistake.quote(name))",
        help: Mistake.suggestion(
          WordDistance.nearest(name, in: ["nuke", "kingfisher"]),
          otherwise: "nuke 10 to 13 or kingfisher 5 to 8, as in: nuke 12"))
    }
    scanner.skipBlank()
    let place = scanner.position
    let text = String(decoding: scanner.word(), as: UTF8.self)
    if text.isEmpty {
      throw Mistake(place, "the client's version is missing", help: isNuke ? "nuke 12" : "kingfisher 8")
    }
    return isNuke ? .nuke(try version(text, at: place)) : .kingfisher(try version(text, at: place))
  }

  private static func version<Version: ClientVersion>(
    _ text: String, at place: Int
  ) throws(Mistake) -> Version {
    do throws(ClientVersionError<Version>) {
      return try Version(parsing: text)
    } catch {
      // The sentence holds the text as typed, which may be anything.
      let message = error.description.replacing(text, with: Mistake.shown(text))
      throw Mistake(
        place, message,
        help: "a major version, \(Version.oldest.major) to \(Version.latest.major), or a release")
    }
  }

  package static func policy(_ scanner: inout LineScanner) throws(Mistake) -> StoragePolicy {
    let start = scanner.position
    let word = String(decoding: scanner.word(), as: UTF8.self)
    if let known = policies.first(where: { $0.word == word }) { return known.value }
    let words = policies.map(\.word)
    throw Mistake(
      start, word.isEmpty ? "a policy is missing" : "no policy is called \(Mistake.quote(word))",
      help: Mistake.suggestion(
        WordDistance.nearest(word, in: words), otherwise: words.joined(separator: ", ")))
  }

  /// Ascending, each once.
  package static func scales(_ scanner: inout LineScanner) throws(Mistake) -> [Double] {
    var scales: Set<Double> = []
    while !scanner.atEnd {
      let start = scanner.position
      let word = scanner.word()
      guard let scale = DecimalText.double(String(decoding: word, as: UTF8.self)), scale > 0 else {
        throw Mistake(
          start, "a screen scale is a number above 0, not \(Mistake.quote(word))", help: Keyword.scale.example
        )
      }
      scales.insert(scale)
      scanner.skipBlank()
    }
    if scales.isEmpty { throw Mistake(scanner.position, "a screen scale is missing", help: "scale 2 3") }
    return scales.sorted()
  }

  package static func embedded(_ scanner: inout LineScanner) throws(Mistake) -> EmbeddedUse {
    let start = scanner.position
    let word = String(decoding: scanner.word(), as: UTF8.self)
    return try embedded(word, at: start)
  }

  package static func embedded(_ word: String, at start: Int) throws(Mistake) -> EmbeddedUse {
    if let known = EmbeddedUse(rawValue: word) { return known }
    let words = EmbeddedUse.allCases.map(\.rawValue)
    throw Mistake(
      start,
      word.isEmpty
        ? "'embedded' needs a value" : "embedded thumbnails cannot be used as \(Mistake.quote(word))",
      help: Mistake.suggestion(
        WordDistance.nearest(word, in: words), otherwise: words.joined(separator: ", ")))
  }

  /// Bytes that the app lets its disk cache take.
  package static func sizeLimit(_ scanner: inout LineScanner) throws(Mistake) -> Int {
    let start = scanner.position
    let word = scanner.word()
    guard let bytes = ByteCountText.value(String(decoding: word, as: UTF8.self)), bytes > 0 else {
      throw Mistake(
        start, "a size limit is a number of bytes, not \(Mistake.quote(word))",
        help: Keyword.sizeLimit.example)
    }
    return bytes
  }

  /// A host, perhaps with a port, in lower case; no scheme and no path.
  ///
  /// - Parameter allowsWildcard: whether `*.suffix` may stand for all its subdomains.
  package static func host(
    _ word: ArraySlice<UInt8>, at place: Int, allowsWildcard: Bool = false
  ) throws(Mistake) -> String {
    let text = String(decoding: word, as: UTF8.self).lowercased()
    let name = allowsWildcard && text.hasPrefix("*.") ? text.dropFirst(2) : text[...]
    let isAddress = name.hasPrefix("[") || name.utf8.count { $0 == UInt8(ascii: ":") } > 1
    let fits = isAddress ? isIPv6(name) : isName(name)
    if fits { return text }
    throw Mistake(
      place, "\(Mistake.quote(word)) is no host",
      help: "a name or an address, like img.example.com: no scheme and no path")
  }

  private static func isName(_ text: Substring) -> Bool {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    if parts.count == 2, UInt16(parts[1]) == nil { return false }
    return !parts[0].isEmpty
      && parts[0].utf8.allSatisfy {
        (0x61...0x7A).contains($0) || (48...57).contains($0) || "-._".utf8.contains($0)
      }
  }

  /// With or without brackets, and behind brackets a port; whether it is an address is asked later.
  private static func isIPv6(_ text: Substring) -> Bool {
    var address = text
    if address.hasPrefix("[") {
      guard let close = address.lastIndex(of: "]") else { return false }
      let port = address[close...].dropFirst()
      if !port.isEmpty, !port.hasPrefix(":") || UInt16(port.dropFirst()) == nil { return false }
      address = address[..<close].dropFirst()
    }
    return address.contains(":")
      && address.utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit || ":.".utf8.contains($0) }
  }

  static func queryPattern(_ word: ArraySlice<UInt8>, at place: Int) throws(Mistake) -> QueryPattern {
    if word.contains(where: { "?&=#\"".utf8.contains($0) }) {
      throw Mistake(
        place, "\(Mistake.quote(word)) is no name of a query item", help: "names alone: token X-Amz-*")
    }
    return QueryPattern(String(decoding: word, as: UTF8.self))
  }
}
