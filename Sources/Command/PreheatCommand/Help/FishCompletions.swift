import Settings
import Text

/// Completions for fish.
struct FishCompletions {
  private let table: OptionTable

  init(_ table: OptionTable) {
    self.table = table
  }

  package var text: String {
    var lines = [
      "# fish completions for preheat \(PreheatVersion.text); made by: preheat help --completions fish",
      "complete -c preheat -f",
    ]
    let names = table.commands.map(\.name).joined(separator: " ")
    let noCommand = "not __fish_seen_subcommand_from \(names)"
    for command in table.commands {
      lines.append("complete -c preheat -n '\(noCommand)' -a \(command.name) -d '\(escape(command.summary))'")
    }
    lines += CommandRows.everywhere.flatMap { complete($0, condition: nil) }
    let shared = Set(CommandRows.everywhere.map(\.flag))
    for command in table.commands {
      let condition = "__fish_seen_subcommand_from \(command.name)"
      for option in command.options where !shared.contains(option.flag) {
        lines += complete(option, condition: condition)
      }
      if command.positionals.contains(where: { $0.kind == .file }) {
        lines.append("complete -c preheat -n '\(condition)' -F")
      }
      if command.positionals.contains(where: { $0.kind == .command }) {
        let words = table.helpWords.joined(separator: " ")
        lines.append("complete -c preheat -n '\(condition)' -a '\(words)'")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func complete(_ option: Setting, condition: String?) -> [String] {
    let start = "complete -c preheat" + (condition.map { " -n '\($0)'" } ?? "")
    let short = option.short.map { " -s \($0)" } ?? ""
    let value =
      switch option.form {
      case .flag: ""
      case .folder: " -x -a '(__fish_complete_directories)'"
      case .choices(let words): " -x -a '\(words.joined(separator: " "))'"
      default: " -x"
      }
    let text = escape(option.summary)
    let line = "\(start)\(short) -l \(option.flag)\(value) -d '\(text)'"
    return option.isNegatable ? [line, "\(start) -l no-\(option.flag) -d 'not: \(text)'"] : [line]
  }

  private func escape(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
  }
}
