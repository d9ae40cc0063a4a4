import Settings
import Syntax

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
    } else if first == UInt8(ascii: "\"") || word.starts(with: "./".utf8) || word.starts(with: "../".utf8)
      || Self.hasScheme(word)
    {
      self = .source(start)
    } else {
      self = .unknown(word)
    }
  }

  var namesSources: Bool {
    switch self {
    case .source: true
    case .setting(let row, _): row.name == JobRows.Structure.include.rawValue
    case .empty, .unknown: false
    }
  }

  /// `name:` with something behind it; RFC 3986, section 3.1.
  private static func hasScheme(_ text: ArraySlice<UInt8>) -> Bool {
    guard let first = text.first, (0x61...0x7A).contains(first | 0x20) else { return false }
    let name = text.prefix {
      (0x61...0x7A).contains($0 | 0x20) || (48...57).contains($0) || "+-.".utf8.contains($0)
    }
    return name.endIndex + 1 < text.endIndex && text[name.endIndex] == UInt8(ascii: ":")
      && !LineScanner.isSpace(text[name.endIndex + 1])
  }
}
