import Text

/// Values of the settings that concern sources.
extension SettingText {
  /// Bytes, or nil for `off`.
  package static func httpCache(_ scanner: inout LineScanner) throws(Mistake) -> Int? {
    let start = scanner.position
    let word = String(decoding: scanner.word(), as: UTF8.self)
    if word == "off" { return nil }
    guard let bytes = ByteCountText.value(word), bytes > 0 else {
      throw Mistake(
        start, "the size of the HTTP cache is a number of bytes or 'off', not \(Mistake.quote(word))",
        help: Keyword.httpCache.example)
    }
    return bytes
  }

  /// Seconds, from a whole number with its unit.
  package static func staleIfError(_ scanner: inout LineScanner) throws(Mistake) -> Int {
    let start = scanner.position
    let word = String(decoding: scanner.word(), as: UTF8.self)
    if word == "off" { return 0 }
    let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
    guard let unit = word.last.flatMap({ units[$0] }), let number = UInt32(word.dropLast()), number > 0 else {
      throw Mistake(
        start, "a time is a whole number with s, m, h or d behind it, not \(Mistake.quote(word))",
        help: Keyword.staleIfError.example)
    }
    return Int(number) * unit
  }

  package static func check(_ scanner: inout LineScanner) throws(Mistake) -> OriginalCheck {
    let start = scanner.position
    let word = String(decoding: scanner.word(), as: UTF8.self)
    if let check = OriginalCheck(rawValue: word) { return check }
    let words = OriginalCheck.allCases.map(\.rawValue)
    throw Mistake(
      start, "no check is called \(Mistake.quote(word))",
      help: Mistake.suggestion(
        WordDistance.nearest(word, in: words), otherwise: words.joined(separator: " or ")))
  }
}
