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
      if widest <= 26 { return TextLayout.columns(terms.map { ($0.term, $0.meaning) }, left: widest + 4) }
      return terms.flatMap { term in
        TextLayout.wrap(term.term, width: 76).enumerated().map { ($0 == 0 ? "  " : "    ") + $1 }
          + TextLayout.wrap(term.meaning, indent: 6)
      }
    }
  }
}
