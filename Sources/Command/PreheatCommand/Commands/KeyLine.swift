import JobFile
import Syntax
import Text

/// The job line that the arguments of `preheat key` make, and which part of it came from which of them.
struct KeyLine: Sendable {
  private(set) var text = ""
  private var parts: [Part] = []

  private struct Part: Sendable {
    /// The name of the argument in messages: its place, or its option.
    var name: String
    /// As it was typed.
    var typed: String
    /// Where it begins in the line, in characters.
    var start: Int
    var isQuoted: Bool
  }

  /// A source and its chain.
  init(source: String, chain: String, id: String?) {
    // Quoted, so that nothing in the source is taken for anything else.
    add("URL", source, quoted: true)
    text += " "
    add("CHAIN", chain)
    add(id: id)
  }

  /// A line as a job has it.
  init(whole: String, id: String?) {
    add("URL", whole)
    add(id: id)
  }

  private mutating func add(id: String?) {
    guard let id else { return }
    text += " id="
    add("--id", id, quoted: true)
  }

  private mutating func add(_ name: String, _ typed: String, quoted: Bool = false) {
    let start = text.count + (quoted ? 1 : 0)
    parts.append(Part(name: name, typed: typed, start: start, isQuoted: quoted))
    text += quoted ? QuotedText.quoted(typed) : typed
  }

  /// A finding of the line, at the argument that it is about.
  func atItsArgument(_ finding: Diagnostic) -> Diagnostic {
    guard !finding.sourceLine.isEmpty,
      let part = parts.last(where: { $0.start <= finding.column }) ?? parts.first
    else { return finding }
    var finding = finding
    (finding.file, finding.line) = (part.name, 1)
    finding.column = Self.column(finding.column - 1 - part.start, in: part)
    finding.sourceLine = String(decoding: SecretMask.masked(Array(part.typed.utf8)[...]), as: UTF8.self)
    return finding
  }

  /// From 1, in what was typed, of a place in the part's text in the line.
  private static func column(_ place: Int, in part: Part) -> Int {
    var rest = max(place, 0)
    var column = 1
    for character in part.typed {
      rest -= part.isQuoted ? QuotedText.escaped(character).count : 1
      if rest < 0 { break }
      column += 1
    }
    return column
  }
}
