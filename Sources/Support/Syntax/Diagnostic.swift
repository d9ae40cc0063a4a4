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
    let place = SafeText.escape("\(file):\(line):\(column):")
    var text = "\(paint(place, "1")) \(kind) \(paint(SafeText.escape(message), "1"))"
    if !sourceLine.isEmpty {
      let (source, padding) = excerpt()
      text += "\n  \(source)\n  \(padding)\(paint("^", "1;32"))"
    }
    if let help { text += "\n  help: \(SafeText.escape(help))" }
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
    func text(to end: Int) -> String {
      SafeText.lineStart(
        (first > 0 ? "…" : "") + SafeText.escape(String(characters[first..<end]), keepingTabs: true))
    }
    // A tab is as wide as the terminal makes it, so the caret's line needs the same tab.
    let padding = text(to: min(caret, last)).map {
      $0 == "\t" ? "\t" : String(repeating: " ", count: TerminalText.width($0))
    }
    return (text(to: last) + (last < characters.count ? "…" : ""), padding.joined())
  }
}
