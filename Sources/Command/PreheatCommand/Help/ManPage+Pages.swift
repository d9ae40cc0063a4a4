import Settings
import Text

/// Pages beside that of the program: one for each command and each topic.
extension ManPage {
  /// A page with its name and section: `preheat-run.1`.
  struct Page: Sendable, Hashable {
    var name: String
    var section: Int
    var text: String

    /// Where it lies below a `man` folder.
    var path: String { "man\(section)/\(name).\(section)" }
  }

  /// Every page, that of the program first.
  var pages: [Page] {
    [Page(name: "preheat", section: 1, text: text)]
      + table.commands.map { Page(name: name(of: $0), section: 1, text: text(of: $0)) }
      + HelpTopic.allCases.map { Page(name: name(of: $0), section: $0.section, text: text(of: $0)) }
  }

  func text(of command: CommandSpec) -> String {
    var lines = head(name(of: command), section: 1, command.summary)
    lines += [".SH SYNOPSIS", synopsis(command), ".SH DESCRIPTION"]
    lines += paragraph(TextCase.sentence(command.summary))
    for text in command.detail { lines += [".PP"] + paragraph(text) }
    for positional in command.positionals {
      lines += [".TP", ".I \(escape(positional.name))"] + paragraph(TextCase.sentence(positional.help))
    }
    lines.append(".SH OPTIONS")
    for (topic, rows) in command.topics { lines += [".SS \(topic.rawValue)"] + rows.flatMap(entry) }
    lines += [".SH \"EXIT STATUS\""] + exitCodes + [".SH EXAMPLES"] + examples([command])
    return page(lines + seeAlso([("preheat", 1)] + topicNames))
  }

  func text(of topic: HelpTopic) -> String {
    var lines = head(name(of: topic), section: topic.section, topic.summary) + [".SH DESCRIPTION"]
    for block in topic.blocks(table) { lines += self.lines(block) }
    return page(lines + seeAlso([("preheat", 1)] + topicNames.filter { $0.name != name(of: topic) }))
  }

  private func lines(_ block: HelpBlock) -> [String] {
    switch block {
    case .heading(let text): [".SH \(quote(text.uppercased()))"]
    case .text(let text): [".PP"] + paragraph(text)
    case .code(let lines): [".PP", ".nf"] + lines.map { $0.isEmpty ? "\\&" : escape($0) } + [".fi"]
    case .terms(let terms): terms.flatMap { [".TP", ".B \(quote($0.term))"] + paragraph($0.meaning) }
    }
  }

  private func head(_ name: String, section: Int, _ summary: String) -> [String] {
    [
      heading(name, section: section), ".SH NAME", "\(escape(name)) \\- \(escape(summary))",
    ]
  }

  private func name(of command: CommandSpec) -> String { "preheat-\(command.name)" }
  private func name(of topic: HelpTopic) -> String { "preheat-\(topic.rawValue)" }

  /// What `SEE ALSO` of the program's page lists.
  var allNames: [(name: String, section: Int)] { table.commands.map { (name(of: $0), 1) } + topicNames }

  private var topicNames: [(name: String, section: Int)] {
    HelpTopic.allCases.map { (name(of: $0), $0.section) }
  }
}
