import ClientKit
import Syntax
import Text

/// What a line of a job is, by its first word.
enum LineKind {
  case empty
  /// The scanner stands behind the setting's name.
  case setting(Setting, LineScanner)
  case source(LineScanner)
  case unknown(ArraySlice<UInt8>)

  init(_ bytes: ArraySlice<UInt8>, _ table: SettingTable) {
    var scanner = LineScanner(bytes)
    scanner.skipBlank()
    guard let first = scanner.next else {
      self = .empty
      return
    }
    let start = scanner
    // Nearly every line of a long job.
    let rest = bytes[scanner.position...]
    if first == UInt8(ascii: "/") || rest.starts(with: "http".utf8) && Self.hasScheme(rest) {
      self = .source(start)
      return
    }
    let word = scanner.word()
    if let row = table.row(ofJobWord: String(decoding: word, as: UTF8.self)) {
      self = .setting(row, scanner)
    } else if first == UInt8(ascii: "\"") || word.starts(with: "~/".utf8) || word.starts(with: "./".utf8)
      || word.starts(with: "../".utf8)
      || Self.hasScheme(word)
    {
      self = .source(start)
    } else {
      self = .unknown(word)
    }
  }

  /// Whether a line that is wrong may hold a header's value: `headers`, `heeder`, and `Authorization:Bearer`, which looks
  /// like a URL.
  var mayHoldSecret: Bool {
    switch self {
    case .empty: return false
    case .setting(let row, _): return row.name == JobKey.header.name
    case .unknown: return true
    case .source(var scanner):
      let word = scanner.word()
      guard let colon = word.firstIndex(of: UInt8(ascii: ":")), !"/.\"~".utf8.contains(word.first ?? 0) else {
        return false
      }
      return SourceScheme(rawValue: String(decoding: word[..<colon], as: UTF8.self).lowercased()) == nil
        && !word[(colon + 1)...].starts(with: "//".utf8)
    }
  }

  /// `name:` with something behind it; RFC 3986, section 3.1.
  private static func hasScheme(_ text: ArraySlice<UInt8>) -> Bool {
    guard let first = text.first, first.isLetter else { return false }
    let name = text.prefix { $0.isLetterOrDigit || "+-.".utf8.contains($0) }
    return name.endIndex + 1 < text.endIndex && text[name.endIndex] == UInt8(ascii: ":")
      && !LineScanner.isSpace(text[name.endIndex + 1])
  }
}

/// A line of a job that begins with no keyword, no URL and no path.
struct UnknownLine {
  let mistake: Mistake
  /// Whether its author may have meant a setting; else a source, written wrongly.
  let isSetting: Bool

  /// - Parameter client: the name of the job's client, as far as it is known.
  init(_ word: ArraySlice<UInt8>, of line: ArraySlice<UInt8>, _ table: SettingTable, client: String?) {
    let text = String(decoding: word.prefix(200), as: UTF8.self)
    let bare = text.prefix { $0 != ":" && $0 != "=" }
    let quote = Mistake.quote(text)
    if let row = table.row(ofJobWord: String(bare)) {
      mistake = Mistake(
        word.startIndex, "\(quote) is not a setting", help: "white space follows the word: \(row.example)")
      isSetting = true
      return
    }
    let nearest = WordDistance.nearest(String(bare), in: table.jobRows.map(\.name))
    if nearest == nil, text.contains("/") || text.contains(".") {
      mistake = .noSource(quote, at: word.startIndex)
      isSetting = false
      return
    }
    let words = table.jobRows.filter { $0.owner == nil || $0.owner == client }.map(\.name)
    mistake = Mistake(
      word.startIndex, "\(quote) is not a setting",
      help: GoneWords.advice[String(bare)]
        ?? Mistake.suggestion(
          nearest,
          otherwise: "a line begins with a setting (\(words.joined(separator: ", "))), a URL or a path"))
    var rest = LineScanner(line, at: word.endIndex)
    rest.skipBlank()
    // Each setting has a value behind it, and its word has small letters and hyphens alone.
    let isWord = bare.utf8.allSatisfy { $0.isLowercaseLetter || $0 == UInt8(ascii: "-") }
    isSetting = nearest != nil || isWord && !rest.atEnd
  }
}

extension Mistake {
  /// What stands where a source has to.
  ///
  /// - Parameter what: the text in quotes.
  static func noSource(_ what: String, at place: Int) -> Mistake {
    Mistake(
      place, "\(what) is neither a URL nor a path",
      help: "a URL begins with https://, a path with /, ./ or ../")
  }
}
