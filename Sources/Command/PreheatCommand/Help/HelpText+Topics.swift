import Text

extension HelpText {
  /// A page about something that is no command.
  func topic(_ topic: HelpTopic) -> String {
    var lines = [TextCase.sentence(topic.summary)]
    for block in topic.blocks(table) { lines += [""] + self.lines(block) }
    return text(lines)
  }

  private func lines(_ block: HelpBlock) -> [String] {
    switch block {
    case .heading(let text): return ["\(text):"]
    case .text(let text): return TextLayout.wrap(text)
    case .code(let lines): return lines.map { $0.isEmpty ? "" : "  " + $0 }
    case .terms(let terms):
      let widest = terms.map(\.term.count).max() ?? 0
      if widest <= 30 { return TextLayout.columns(terms.map { ($0.term, $0.meaning) }, left: widest + 4) }
      return terms.flatMap { term in
        Self.wrap(term.term).enumerated().map { ($0 == 0 ? "  " : "    ") + $1 }
          + TextLayout.wrap(term.meaning, indent: 6)
      }
    }
  }

  /// Breaks a processor's usage between its arguments alone.
  private static func wrap(_ usage: String) -> [String] {
    let arguments = usage.replacing(" ", with: "\u{A0}").replacing(",\u{A0}", with: ", ")
    return TextLayout.wrap(arguments, width: 76).map { $0.replacing("\u{A0}", with: " ") }
  }
}
