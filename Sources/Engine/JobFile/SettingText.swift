import Foundation
import Pictures
import Syntax
import Text

/// How the values of a job's own settings are read, in a job, a flag or a variable.
enum SettingText {
  /// All words up to the end, each read by itself and taken once.
  static func words<Element: Hashable>(
    _ scanner: inout LineScanner, _ read: (ArraySlice<UInt8>, Int) throws(Mistake) -> Element
  ) throws(Mistake) -> [Element] {
    var elements: [Element] = []
    var known: Set<Element> = []
    while !scanner.atEnd {
      let place = scanner.position
      let element = try read(scanner.word(), place)
      if known.insert(element).inserted { elements.append(element) }
      scanner.skipBlank()
    }
    return elements
  }

  static func queryPattern(_ word: ArraySlice<UInt8>, at place: Int) throws(Mistake) -> String {
    if word.contains(where: { "?&=#\"".utf8.contains($0) }) {
      throw Mistake(
        place, "\(Mistake.quote(word)) is not the name of a query item", help: "names alone: token X-Amz-*")
    }
    return String(decoding: word, as: UTF8.self)
  }

  /// A host, perhaps with a port, in lower case; no scheme and no path.
  ///
  /// - Parameter allowsWildcard: whether `*.suffix` may stand for all its subdomains.
  static func host(
    _ word: ArraySlice<UInt8>, at place: Int, allowsWildcard: Bool = false
  ) throws(Mistake) -> String {
    let text = String(decoding: word, as: UTF8.self).lowercased()
    let name = allowsWildcard && text.hasPrefix("*.") ? text.dropFirst(2) : text[...]
    if let host = HostText(name), host.isPlain, name.first != "[" || host.name.contains(":") { return text }
    if !text.utf8.allSatisfy({ $0 < 0x80 }), let ascii = URL(string: "https://\(name)/")?.host, ascii != name
    {
      throw Mistake(
        place, "\(Mistake.quote(word)) is not ASCII, and hosts are compared in that form",
        help: "write \(text.dropLast(name.count))\(ascii)")
    }
    throw Mistake(
      place, "\(Mistake.quote(word)) is not a valid host name",
      help: "a name or an address, like img.example.com: no scheme and no path")
  }

  static let rateLimitExample = "rate-limit img.example.com 10/s burst=20"

  /// `[HOST] N/s [burst=N]`: without a host, or with `*`, for each host that no other limit names.
  static func rateLimit(_ scanner: inout LineScanner) throws(Mistake) -> RateLimit {
    var limit = RateLimit(requestsPerSecond: 0)
    var place = scanner.position
    var word = scanner.word()
    if !word.contains(UInt8(ascii: "/")) {
      if String(decoding: word, as: UTF8.self) != "*" {
        limit.host = try host(word, at: place, allowsWildcard: true)
      }
      scanner.skipBlank()
      place = scanner.position
      word = scanner.word()
    }
    limit.requestsPerSecond = try rate(word, at: place)
    scanner.skipBlank()
    guard !scanner.atEnd else { return limit }
    place = scanner.position
    let option = String(decoding: scanner.word(), as: UTF8.self)
    guard option.hasPrefix("burst="), let burst = Int(option.dropFirst(6)), (1...1_000_000).contains(burst)
    else {
      throw Mistake(place, "burst= and a number of requests is expected here", help: rateLimitExample)
    }
    limit.burst = burst
    scanner.skipBlank()
    try scanner.expectEnd(help: rateLimitExample)
    return limit
  }

  private static func rate(_ word: ArraySlice<UInt8>, at place: Int) throws(Mistake) -> Double {
    let parts = String(decoding: word, as: UTF8.self).split(separator: "/", omittingEmptySubsequences: false)
    let seconds: [String: Double] = ["s": 1, "m": 60, "h": 3600]
    guard parts.count == 2, let number = DecimalText.double(String(parts[0])), number > 0, number.isFinite,
      let unit = seconds[String(parts[1])]
    else {
      throw Mistake(
        place, "a rate is a number of requests a second, minute or hour: 10/s, 30/m, 500/h",
        help: rateLimitExample)
    }
    return number / unit
  }

  static let signatureExample = "aws-sigv4 bucket.s3.eu-west-1.amazonaws.com aws:amz:eu-west-1:s3"

  /// `HOST aws:amz:REGION:SERVICE`. The credentials have to be there, or each of the host's sources would fail.
  static func signature(
    _ scanner: inout LineScanner, variables: JobVariables
  ) throws(Mistake) -> HostSignature {
    let start = scanner.position
    let host = try host(scanner.word(), at: start)
    scanner.skipBlank()
    let place = scanner.position
    let scope = String(decoding: scanner.word(), as: UTF8.self)
    let parts = scope.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 4, parts.allSatisfy(isScopePart) else {
      throw Mistake(
        place, "aws:amz:, a region, ':' and a service are expected here", help: signatureExample)
    }
    scanner.skipBlank()
    try scanner.expectEnd(help: signatureExample)
    // As `HTTPSigning.Credentials` reads them.
    let id = try variables.value(of: "AWS_ACCESS_KEY_ID", at: start) ?? ""
    let secret = try variables.value(of: "AWS_SECRET_ACCESS_KEY", at: start) ?? ""
    // Goes out with the request where it is set.
    _ = try variables.value(of: "AWS_SESSION_TOKEN", at: start)
    guard !id.isEmpty, !secret.isEmpty else {
      throw Mistake(
        start, "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not both set",
        help: "export them; AWS_SESSION_TOKEN too, where there is one")
    }
    return HostSignature(host: host, scope: scope)
  }

  private static func isScopePart(_ part: Substring) -> Bool {
    !part.isEmpty && part.utf8.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") }
  }
}

extension SettingType where Value == [Double] {
  /// Ascending, each once.
  static var scales: Self {
    Self("LIST") { scanner, _ throws(Mistake) in
      let scales = try SettingText.words(&scanner) { word, place throws(Mistake) in
        let scale = DecimalText.double(String(decoding: word, as: UTF8.self))
        if let scale, scale > 0, scale <= 100 { return scale }
        throw Mistake(
          place, "a screen scale is a number above 0, not \(Mistake.quote(word)), and at most 100",
          help: "scale 2 3")
      }
      return scales.sorted()
    }
  }
}

extension SettingType where Value == EncodingChoice {
  static var encoding: Self {
    Self("SPEC") { scanner, _ throws(Mistake) in try EncodingText.encoding(&scanner) }
  }
}
