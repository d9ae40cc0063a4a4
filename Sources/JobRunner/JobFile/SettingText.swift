import CacheCore
import NukeCache

/// Values of settings, as in a job, a flag or an environment variable.
enum SettingText {
  static let policies: [(word: String, value: StoragePolicy)] =
    DataCachePolicy.allCases.map { ($0.rawValue, .client($0)) } + [("reachable", .reachable)]

  /// Encoders that one may expect; libvips has them, the clients' caches do not need them yet.
  private static let laterEncoders = ["webp", "heic", "heif", "avif", "gif", "tiff", "jxl"]

  enum Client: Hashable {
    case nuke(NukeVersion)
    case kingfisher
  }

  static func client(_ scanner: inout LineScanner) throws(Mistake) -> Client {
    let start = scanner.position
    let name = String(decoding: scanner.word(), as: UTF8.self)
    guard name == "nuke" || name == "kingfisher" else {
      throw Mistake(
        start, name.isEmpty ? "a client is missing" : "no client is called \(Mistake.quote(name))",
        help: Mistake.suggestion(
          WordDistance.nearest(name, in: ["nuke", "kingfisher"]),
          otherwise: "nuke 10 to 13, as in: nuke 12"))
    }
    scanner.skipBlank()
    let place = scanner.position
    let version = String(decoding: scanner.word(), as: UTF8.self)
    if version.isEmpty { throw Mistake(place, "the client's version is missing", help: "\(name) 12") }
    if name == "kingfisher" { return .kingfisher }
    return .nuke(try nukeVersion(version, at: place))
  }

  private static func nukeVersion(_ text: String, at place: Int) throws(Mistake) -> NukeVersion {
    let known =
      "majors 10 to 13, or a tag from 10.0.0 to \(NukeVersion.newest.last.map(\.description) ?? "13")"
    let fields = text.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = fields.compactMap { field in
      field.utf8.allSatisfy { (48...57).contains($0) } ? Int(field) : nil
    }
    guard numbers.count == fields.count, numbers.count == 1 || numbers.count == 3 else {
      throw Mistake(place, "\(Mistake.quote(text)) is no version of Nuke", help: known)
    }
    guard let newest = NukeVersion.newest.first(where: { $0.major == numbers[0] }) else {
      throw Mistake(place, "Nuke \(Mistake.quote(text)) is not known", help: known)
    }
    if numbers.count == 1 { return newest }
    let version = NukeVersion(numbers[0], numbers[1], numbers[2])
    if version > newest {
      throw Mistake(
        place, "Nuke \(version) is not known", help: "the newest known \(numbers[0]) is \(newest)")
    }
    return version
  }

  static func policy(_ scanner: inout LineScanner) throws(Mistake) -> StoragePolicy {
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
  static func scales(_ scanner: inout LineScanner) throws(Mistake) -> [Double] {
    var scales: Set<Double> = []
    while !scanner.atEnd {
      let start = scanner.position
      let word = scanner.word()
      guard let scale = NumberText.double(String(decoding: word, as: UTF8.self)), scale > 0 else {
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

  static func encoding(_ scanner: inout LineScanner) throws(Mistake) -> JobEncoding {
    let start = scanner.position
    let name = String(decoding: scanner.name(), as: UTF8.self)
    let known = "jpeg(quality: 1...100) or png"
    guard name == "jpeg" || name == "png" else {
      if laterEncoders.contains(name) {
        throw Mistake(start, "encoding as \(name) is not supported yet", help: known)
      }
      throw Mistake(
        start, name.isEmpty ? "an encoder is missing" : "no encoder is called \(Mistake.quote(name))",
        help: Mistake.suggestion(WordDistance.nearest(name, in: ["jpeg", "png"]), otherwise: known))
    }
    let arguments = scanner.next == UInt8(ascii: "(") ? try scanner.arguments(depth: 1) : []
    var reader = ArgumentReader(
      arguments, of: name, at: start, labels: name == "jpeg" ? ["quality"] : [])
    let quality = reader.optional("quality", .whole, default: 80)
    if let mistake = reader.mistakes.first { throw mistake }
    if name == "png" { return .png }
    guard (1...100).contains(quality) else {
      let place = arguments.first?.valueOffset ?? start
      throw Mistake(place, "JPEG quality goes from 1 to 100, not \(quality)")
    }
    return .jpeg(quality: quality)
  }

  /// A host without scheme, port or path, in lower case; an IPv6 address without its brackets.
  static func host(_ word: ArraySlice<UInt8>, at place: Int) throws(Mistake) -> String {
    var text = String(decoding: word, as: UTF8.self).lowercased()
    if text.hasPrefix("["), text.hasSuffix("]") { text = String(text.dropFirst().dropLast()) }
    let isAddress = text.utf8.count { $0 == UInt8(ascii: ":") } >= 2
    let fits = text.utf8.allSatisfy { byte in
      isAddress
        ? Character(Unicode.Scalar(byte)).isHexDigit || ":.%".utf8.contains(byte)
        : (0x61...0x7A).contains(byte) || (48...57).contains(byte) || "-._".utf8.contains(byte)
    }
    if text.isEmpty || !fits {
      throw Mistake(
        place, "\(Mistake.quote(word)) is no host name",
        help: "a name or an address alone, like img.example.com: no scheme, port, path or *")
    }
    return text
  }

  static func queryPattern(_ word: ArraySlice<UInt8>, at place: Int) throws(Mistake) -> QueryPattern {
    if word.contains(where: { "?&=#\"".utf8.contains($0) }) {
      throw Mistake(
        place, "\(Mistake.quote(word)) is no name of a query item", help: "names alone: token X-Amz-*")
    }
    return QueryPattern(String(decoding: word, as: UTF8.self))
  }
}
