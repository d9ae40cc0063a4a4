import Text

extension SettingsPass {
  /// A line that begins with no keyword, no URL and no path.
  package static func unknown(_ word: ArraySlice<UInt8>, in line: ArraySlice<UInt8>) -> Mistake {
    let text = String(decoding: word, as: UTF8.self)
    let bare = text.prefix { $0 != ":" && $0 != "=" }
    let quote = Mistake.quote(text)
    if let keyword = Keyword(rawValue: String(bare)) {
      return Mistake(
        word.startIndex, "\(quote) is not a setting", help: "white space follows the word: \(keyword.example)"
      )
    }
    let nearest = WordDistance.nearest(String(bare), in: Keyword.allCases.map(\.rawValue))
    if nearest == nil, text.contains("/") || text.contains(".") {
      return Mistake(
        word.startIndex, "\(quote) is no URL and no path",
        help: "a URL begins with https://, a path with /, ./ or ../")
    }
    return Mistake(
      word.startIndex, "\(quote) is not a setting",
      help: Mistake.suggestion(
        nearest, otherwise: "a line begins with a setting (\(words)), a URL or a path"))
  }

  private static let words = Keyword.allCases.filter { $0.owner != "kingfisher" }.map(\.rawValue).joined(
    separator: ", ")

  /// From where on a line that was not understood may hold a header's value; nil when nowhere.
  static func secretStart(_ bytes: ArraySlice<UInt8>) -> Int? {
    switch LineKind(bytes) {
    case .empty: return nil
    case .entry(var scanner): return Self.headerName(scanner.word())
    case .setting(.header, let scanner): return HeaderText.secretStart(scanner)
    case .setting: return nil
    case .unknown(let word):
      let colon = bytes.firstIndex(of: UInt8(ascii: ":")).map { $0 + 1 }
      let name = String(decoding: word, as: UTF8.self)
      // `headers`, `heeder`: the secret may stand anywhere behind it.
      let isHeader = WordDistance.nearest(name, in: ["header", "headers"]) != nil
      return isHeader ? min(word.endIndex, colon ?? word.endIndex) : colon
    }
  }

  /// `Authorization:Bearer` looks like a URL.
  static func headerName(_ word: ArraySlice<UInt8>) -> Int? {
    guard let colon = word.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let scheme = String(decoding: word[..<colon], as: UTF8.self).lowercased()
    if JobEntry.Scheme(name: scheme) != nil || word[(colon + 1)...].starts(with: "//".utf8) { return nil }
    return "/.\"".utf8.contains(word[word.startIndex]) ? nil : colon + 1
  }
}
