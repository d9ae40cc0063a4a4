import Text

/// One finding about a job's text, with its place.
package struct Diagnostic: Error, Hashable, Sendable {
  package enum Severity: String, Hashable, Sendable, CaseIterable {
    case error, warning
  }

  package var severity: Severity
  package var file: String
  /// From 1.
  package var line: Int
  /// From 1, in characters.
  package var column: Int
  package var message: String
  /// What would have been right, and the nearest known word.
  package var help: String?
  /// The line's text, for the caret.
  package var sourceLine: String
  /// Whether an app will find little or nothing of the cache.
  package var isVital: Bool

  package init(
    _ severity: Severity, file: String, line: Int, column: Int, message: String, help: String? = nil,
    sourceLine: String = "", isVital: Bool = false
  ) {
    self.severity = severity
    self.file = file
    self.line = line
    self.column = column
    self.message = message
    self.help = help
    self.sourceLine = sourceLine
    self.isVital = isVital
  }

  private static let widest = 96

  /// `file:line:column: error: message`, then the source line, a caret under the place, and the help.
  ///
  /// Everything that came from a file is made safe for a terminal.
  package func rendered(color: Bool = false) -> String {
    /// SGR colours, or none.
    func paint(_ text: String, _ code: String) -> String {
      color ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
    let kind = severity == .error ? paint("error:", "1;31") : paint("warning:", "1;33")
    let place = TerminalText.escaped("\(file):\(line):\(column):").replacing("\t", with: " ")
    var text = "\(paint(place, "1")) \(kind) \(paint(TerminalText.escaped(message), "1"))"
    if !sourceLine.isEmpty {
      let (source, padding) = excerpt()
      text += "\n  \(source)\n  \(padding)\(paint("^", "1;32"))"
    }
    if let help { text += "\n  help: \(TerminalText.escaped(help))" }
    return text
  }

  /// The part of the line around the place, and what puts the caret under it.
  private func excerpt() -> (source: String, padding: String) {
    let characters = Array(sourceLine)
    let caret = min(column - 1, characters.count)
    var first = 0
    var last = characters.count
    if characters.count > Self.widest {
      first = max(0, min(caret - Self.widest / 2, characters.count - Self.widest))
      last = min(characters.count, first + Self.widest)
    }
    let commands = Self.commandMarks(characters)
    var source = first > 0 ? "…" : ""
    var padding = first > 0 ? " " : ""
    for (index, character) in characters[first..<last].enumerated() {
      let shown =
        commands.contains(first + index)
        ? "\\u{\(character == "#" ? "23" : "3A")}" : TerminalText.escaped(String(character))
      source += shown
      guard first + index < caret else { continue }
      // A tab is as wide as the terminal makes it, so the caret's line needs the same tab.
      if character == "\t" {
        padding += "\t"
      } else {
        padding += String(repeating: " ", count: shown.reduce(0) { $0 + TerminalText.width($1) })
      }
    }
    if last < characters.count { source += "…" }
    return (source, padding)
  }

  /// Characters that could make an excerpt a command for a CI system: of `::` at its beginning, and of `##[` and
  /// `##vso[` anywhere.
  private static func commandMarks(_ line: [Character]) -> Set<Int> {
    var marks: Set<Int> = []
    if let start = line.firstIndex(where: { !$0.isWhitespace }), line[start...].starts(with: "::") {
      marks.insert(start)
    }
    for index in line.indices.dropFirst() where line[index] == "#" && line[index - 1] == "#" {
      let rest = String(line[(index + 1)...].prefix(4)).lowercased()
      if rest.hasPrefix("[") || rest == "vso[" { marks.insert(index) }
    }
    return marks
  }
}
