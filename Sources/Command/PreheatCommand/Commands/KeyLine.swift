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

  /// - Parameter chain: nil where the source is a line as a job has it.
  init(source: String, chain: String?, id: String?) {
    // Quoted beside a chain, so that nothing in the source is taken for anything else.
    add("URL", source, quoted: chain != nil)
    if let chain {
      text += " "
      add("CHAIN", chain)
    }
    if let id {
      text += " id="
      add("--id", id, quoted: true)
    }
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
    // From 1, in what was typed.
    var rest = max(finding.column - 1 - part.start, 0)
    finding.column =
      1
      + part.typed.prefix { character in
        rest -= part.isQuoted ? QuotedText.escaped(character).count : 1
        return rest >= 0
      }.count
    finding.sourceLine = String(decoding: SecretMask.masked(Array(part.typed.utf8)[...]), as: UTF8.self)
    return finding
  }
}
