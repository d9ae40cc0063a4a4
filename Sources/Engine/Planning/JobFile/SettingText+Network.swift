import Fetching
import Text

/// Values of the settings about hosts.
extension SettingText {
  /// `[HOST] N/s [burst=N]`: without a host, or with `*`, for each host that no other limit names.
  static func rateLimit(_ scanner: inout LineScanner) throws(Mistake) -> HTTPRateLimit {
    var limit = HTTPRateLimit(requestsPerSecond: 0)
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
      throw Mistake(
        place, "burst= and a number of requests is expected here", help: Keyword.rateLimit.example)
    }
    limit.burst = burst
    scanner.skipBlank()
    try scanner.expectEnd(help: Keyword.rateLimit.example)
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
        help: Keyword.rateLimit.example)
    }
    return number / unit
  }

  static func connectionsPerHost(_ scanner: inout LineScanner) throws(Mistake) -> Int {
    let start = scanner.position
    let word = scanner.word()
    guard let count = Int(String(decoding: word, as: UTF8.self)), (1...1024).contains(count) else {
      throw Mistake(
        start, "transfers at once are 1 to 1024, not \(Mistake.quote(word))", help: Keyword.perHost.example)
    }
    return count
  }

  /// `HOST aws:amz:REGION:SERVICE`. The credentials have to be there, or each of the host's sources would fail.
  package static func signature(
    _ scanner: inout LineScanner, environment: [String: String]
  ) throws(Mistake) -> JobSettings.HostSignature {
    let start = scanner.position
    let host = try host(scanner.word(), at: start)
    scanner.skipBlank()
    let place = scanner.position
    let scope = String(decoding: scanner.word(), as: UTF8.self)
    let parts = scope.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 4, parts.allSatisfy(isScopePart) else {
      throw Mistake(
        place, "aws:amz:, a region, ':' and a service are expected here", help: Keyword.awsSignature.example)
    }
    scanner.skipBlank()
    try scanner.expectEnd(help: Keyword.awsSignature.example)
    guard HTTPSigning.Credentials(environment: environment) != nil else {
      throw Mistake(
        start, "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not both set",
        help: "export them; AWS_SESSION_TOKEN too, where there is one")
    }
    return JobSettings.HostSignature(host: host, scope: scope)
  }

  private static func isScopePart(_ part: Substring) -> Bool {
    !part.isEmpty
      && part.utf8.allSatisfy { byte in
        (0x61...0x7A).contains(byte | 0x20) || (48...57).contains(byte) || byte == UInt8(ascii: "-")
      }
  }
}
