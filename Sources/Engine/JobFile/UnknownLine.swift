import Settings
import Syntax
import Text

/// A line of a job that begins with no keyword, no URL and no path.
struct UnknownLine {
  /// What its author may have meant.
  enum Meaning {
    /// A setting, spelled wrongly.
    case setting
    /// It could be either: a word with something behind it.
    case doubtful
    /// A source, written wrongly.
    case source
  }

  let mistake: Mistake
  let meaning: Meaning

  /// - Parameter client: the name of the job's client, as far as it is known.
  init(_ word: ArraySlice<UInt8>, of line: ArraySlice<UInt8>, _ table: SettingTable, client: String?) {
    let text = String(decoding: word, as: UTF8.self)
    let bare = text.prefix { $0 != ":" && $0 != "=" }
    let quote = Mistake.quote(text)
    if let row = table.row(ofJobWord: String(bare)) {
      mistake = Mistake(
        word.startIndex, "\(quote) is not a setting", help: "white space follows the word: \(row.example)")
      meaning = .setting
      return
    }
    let nearest =
      Self.definesChain(line, behind: word)
      ? JobRows.Structure.chain.rawValue : WordDistance.nearest(String(bare), in: table.jobRows.map(\.name))
    if nearest == nil, text.contains("/") || text.contains(".") {
      mistake = .noSource(quote, at: word.startIndex)
      meaning = .source
      return
    }
    let words = table.jobRows.filter { $0.owner == nil || $0.owner == client }.map(\.name)
    mistake = Mistake(
      word.startIndex, "\(quote) is not a setting",
      help: Mistake.suggestion(
        nearest,
        otherwise: "a line begins with a setting (\(words.joined(separator: ", "))), a URL or a path"))
    var rest = LineScanner(line, at: word.endIndex)
    rest.skipBlank()
    // Each setting has a value behind it, and its word has small letters and hyphens alone.
    let isWord = bare.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "-") }
    meaning = !isWord || rest.atEnd ? .source : nearest == nil ? .doubtful : .setting
  }

  /// `WORD NAME = PROCESSOR(`: only the first word is wrong, and no secret stands behind it.
  static func definesChain(_ line: ArraySlice<UInt8>, behind word: ArraySlice<UInt8>) -> Bool {
    var rest = LineScanner(line, at: word.endIndex)
    rest.skipSpaces()
    guard !word.contains(UInt8(ascii: ":")), !rest.name().isEmpty else { return false }
    rest.skipSpaces()
    guard rest.take("=") else { return false }
    rest.skipSpaces()
    guard !rest.name().isEmpty else { return false }
    rest.skipSpaces()
    return rest.atEnd || rest.take("(") || rest.take("|")
  }

  /// Whether the line may be left out, in a job that leaves wrong lines out.
  ///
  /// - Parameter isPlainList: the job has no setting at all, so this is not one either.
  func isSkippable(isPlainList: Bool) -> Bool {
    switch meaning {
    case .source: true
    case .doubtful: isPlainList
    case .setting: false
    }
  }
}

extension Mistake {
  /// What stands where a source has to.
  ///
  /// - Parameter what: the text in quotes, where it may be shown.
  static func noSource(_ what: String = "this", at place: Int) -> Mistake {
    Mistake(
      place, "\(what) is neither a URL nor a path",
      help: "a URL begins with https://, a path with /, ./ or ../")
  }
}
