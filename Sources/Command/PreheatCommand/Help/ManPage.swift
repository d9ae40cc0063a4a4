import Settings
import Text

/// The man page, in the classic man macros that every roff knows.
struct ManPage {
  let table: OptionTable

  init(_ table: OptionTable) {
    self.table = table
  }

  package var text: String {
    var lines = [
      heading("preheat", section: 1), ".SH NAME", "preheat \\- warm the caches of image libraries",
      ".SH SYNOPSIS",
    ]
    for (index, command) in table.commands.enumerated() {
      if index > 0 { lines.append(".br") }
      lines.append(synopsis(command))
    }
    lines += [".SH DESCRIPTION"] + paragraph(Wording.about) + [".PP"] + paragraph(Wording.repetition)
    lines.append(".SH COMMANDS")
    for command in table.commands { lines += section(command) }
    lines += [".SH \"OPTIONS OF EVERY COMMAND\""] + CommandRows.everywhere.flatMap(entry)
    lines += [".SH ENVIRONMENT"] + paragraph(Wording.environment)
    for variable in HelpTopic.variables(table.options) + HelpTopic.otherVariables {
      lines += [".TP", ".B \(escape(variable.term))"] + paragraph(variable.meaning)
    }
    lines += [".SH \"EXIT STATUS\""] + exitCodes + [".SH EXAMPLES"] + examples(table.commands)
    return page(lines + seeAlso(allNames))
  }

  // MARK: Parts of every page

  func heading(_ name: String, section: Int) -> String {
    let manual = section == 1 ? "User Commands" : section == 5 ? "File Formats" : "Miscellaneous"
    return
      ".TH \(escape(name.uppercased())) \(section) \(PreheatVersion.day) \"preheat \(PreheatVersion.text)\" \"\(manual)\""
  }

  func synopsis(_ command: CommandSpec) -> String {
    let words = ["[\\fIoptions\\fR]"] + command.positionals.map { "\\fI\(escape($0.usage))\\fR" }
    return "\\fBpreheat \(escape(command.name))\\fR " + words.joined(separator: " ")
  }

  var exitCodes: [String] {
    ExitCode.allCases.flatMap { [".TP", ".B \($0.rawValue)"] + paragraph(TextCase.sentence($0.meaning)) }
  }

  func examples(_ commands: [CommandSpec]) -> [String] {
    commands.flatMap(\.examples).flatMap { example in
      [".TP", escape(TextCase.sentence(example.meaning)), ".B \(quote(example.line))"]
    }
  }

  func seeAlso(_ pages: [(name: String, section: Int)]) -> [String] {
    [".SH \"SEE ALSO\""]
      + pages.enumerated().map { index, page in
        ".BR \(escape(page.name)) (\(page.section))\(index < pages.count - 1 ? "," : "")"
      }
  }

  func page(_ lines: [String]) -> String { lines.joined(separator: "\n") + "\n" }

  private func section(_ command: CommandSpec) -> [String] {
    var lines = [".SS \(command.name)"] + paragraph(TextCase.sentence(command.summary))
    for paragraph in command.detail { lines += [".PP"] + self.paragraph(paragraph) }
    for positional in command.positionals {
      lines += [".TP", ".I \(escape(positional.name))"]
      lines += paragraph(TextCase.sentence(positional.help))
    }
    let shared = Set(CommandRows.everywhere.map(\.flag))
    for (topic, rows) in command.topics {
      let own = rows.filter { !shared.contains($0.flag) }
      guard !own.isEmpty else { continue }
      lines += [".PP", ".I \"\(topic.rawValue) options\""] + own.flatMap(entry)
    }
    return lines
  }

  func entry(_ option: Setting) -> [String] {
    var sentences = option.sentences
    if let variable = option.environment { sentences.append("Variable: \(variable).") }
    return [".TP", ".B \(quote(option.fullUsage))"] + paragraph(sentences.joined(separator: " "))
  }

  /// Running text, in input lines that people can read too.
  func paragraph(_ text: String) -> [String] {
    TextLayout.wrap(escape(text), width: 78).map { $0.hasPrefix(".") ? "\\&" + $0 : $0 }
  }

  /// An argument of a macro: one word, whatever is in it.
  func quote(_ text: String) -> String {
    "\"" + escape(text).replacing("\"", with: "\\(dq") + "\""
  }

  /// Text as roff shows it unchanged: its escape character and its two kinds of dash and quote.
  func escape(_ text: String) -> String {
    text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("'", with: "\\(aq")
  }
}
