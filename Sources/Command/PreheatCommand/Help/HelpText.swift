import Settings
import Text

/// The help that terminals show: `-h` on one screen, `--help` with everything.
struct HelpText {
  let table: OptionTable

  init(_ table: OptionTable) {
    self.table = table
  }

  /// What fits on a screen of 24 lines and 80 columns, beginning with examples.
  package func short(_ command: CommandSpec?) -> String {
    guard let command else { return shortOverview }
    let rows = command.options.filter(\.isCommon).map { ($0.brief, $0.summary) }
    return text(
      examples([command])
        + ["", "Usage: \(command.usage)", "  \(TextCase.sentence(command.summary))", ""]
        + TextLayout.columns(rows, left: 26)
        + ["", "More: preheat \(command.name) --help"])
  }

  private var shortOverview: String {
    text(
      examples(Array(table.commands.prefix(1)), each: 1)
        + ["", "Usage: preheat COMMAND [options]"]
        // The last lines are about help.
        + TextLayout.columns(
          table.commands.filter { $0.name != "help" }.map { ($0.name, $0.summary) }, left: 12)
        + ["", "More: preheat COMMAND -h, preheat help COMMAND", "      preheat help \(topics)"])
  }

  private var topics: String { HelpTopic.allCases.map(\.rawValue).joined(separator: " | ") }

  /// Everything about one command, or about all of them together.
  package func full(_ command: CommandSpec?) -> String {
    guard let command else { return fullOverview }
    var lines = ["Usage: \(command.usage)", "", TextCase.sentence(command.summary)]
    for paragraph in command.detail { lines += [""] + TextLayout.wrap(paragraph) }
    if !command.positionals.isEmpty {
      lines += ["", "Arguments:"]
      lines += TextLayout.columns(
        command.positionals.map { ($0.usage, TextCase.sentence($0.help)) }, left: 14)
    }
    lines += [""] + examples([command])
    for (topic, rows) in command.topics { lines += ["", "\(topic.rawValue) options:"] + options(rows) }
    return text(lines + ["", "Environment:"] + rules + variables(command.options) + exitCodes)
  }

  private var fullOverview: String {
    var lines = ["Usage: preheat COMMAND [options]", "", Wording.about, ""]
    lines += examples(table.commands)
    lines += ["", "Commands:"]
    lines += TextLayout.columns(table.commands.map { ($0.name, TextCase.sentence($0.summary)) }, left: 12)
    lines += ["", "Topics of 'preheat help':"]
    lines += TextLayout.columns(
      HelpTopic.allCases.map { ($0.rawValue, TextCase.sentence($0.summary)) }, left: 16)
    lines += ["", "Options of every command:"] + options(CommandRows.everywhere)
    for command in table.commands {
      lines += ["", "Options of '\(command.name)':"]
      let names = Set(CommandRows.everywhere.map(\.flag))
      lines += options(command.options.filter { !names.contains($0.flag) })
    }
    let own = table.options
    return text(lines + ["", "Environment:"] + rules + variables(own) + exitCodes)
  }

  private func examples(_ commands: [CommandSpec], each limit: Int = .max) -> [String] {
    ["Examples:"]
      + commands.flatMap { $0.examples.prefix(limit) }.flatMap { ["  # \($0.meaning)", "  \($0.line)"] }
  }

  private func options(_ options: [Setting]) -> [String] {
    options.flatMap { option in
      ["  " + option.fullUsage]
        + TextLayout.wrap(option.sentences.joined(separator: " "), indent: 6)
        + (option.environment.map { ["      [\($0)]"] } ?? [])
    }
  }

  private var rules: [String] { TextLayout.wrap(Wording.environment, indent: 2) }

  private func variables(_ options: [Setting]) -> [String] {
    let rows = options.compactMap { option in option.environment.map { ($0, "as \(option.usage)") } }
    return TextLayout.columns(rows + Wording.otherVariables, left: 26)
  }

  private var exitCodes: [String] {
    let rows = ExitCode.allCases.map { ("\($0.rawValue)", $0.meaning) }
    return ["", "Exit codes:"] + TextLayout.columns(rows, left: 8)
  }

  func text(_ lines: [String]) -> String { lines.joined(separator: "\n") + "\n" }
}

extension Setting {
  /// `-w, --workers N`
  fileprivate var brief: String { (short.map { "-\($0), " } ?? "") + usage }
}
