/// The reference page of the documentation (`docs/command.md`).
struct MarkdownReference {
  private let table: OptionTable

  init(_ table: OptionTable) {
    self.table = table
  }

  package var text: String {
    var lines = [
      "<!-- Made by `make docs` from the option table; changes here are lost. -->", "",
      "# The preheat command", "", Wording.about, "", Wording.repetition, "",
      "| Command | Meaning |", "| --- | --- |",
    ]
    lines += table.commands.map { "| [`\($0.name)`](#preheat-\($0.name)) | \(cell($0.summary)) |" }
    for command in table.commands { lines += section(command) }
    lines += ["", "## Options of every command", ""] + options(OptionTable.everywhere)
    lines += ["", "## Environment", "", Wording.environment, "", "| Variable | Meaning |", "| --- | --- |"]
    for option in table.options where !option.isHidden {
      if let variable = option.environment { lines.append("| `\(variable)` | as `\(option.usage)` |") }
    }
    lines += Wording.otherVariables.map { "| `\($0)` | \(cell($1)) |" }
    lines += ["", "## Exit codes", "", "| Code | Meaning |", "| ---: | --- |"]
    lines += ExitCode.allCases.map { "| \($0.rawValue) | \(cell($0.meaning)) |" }
    return lines.joined(separator: "\n") + "\n"
  }

  private func section(_ command: CommandSpec) -> [String] {
    var lines = ["", "## preheat \(command.name)", "", TextCase.sentence(command.summary)]
    for paragraph in command.detail { lines += ["", paragraph] }
    lines += ["", "```sh", command.usage, "```", ""]
    lines += command.positionals.map { "- `\($0.name)`: \($0.help)" }
    if !command.positionals.isEmpty { lines.append("") }
    if !command.examples.isEmpty {
      lines += ["```sh"] + command.examples.flatMap { ["# \($0.meaning)", $0.line] } + ["```"]
    }
    let shared = Set(OptionTable.everywhere.map(\.name))
    let own = command.visibleOptions.filter { !shared.contains($0.name) }
    return own.isEmpty ? lines : lines + [""] + options(own)
  }

  private func options(_ options: [OptionSpec]) -> [String] {
    ["| Option | Meaning | Variable |", "| --- | --- | --- |"]
      + options.map { option in
        let variable = option.environment.map { "`\($0)`" } ?? ""
        return "| `\(option.fullUsage)` | \(cell(option.sentences.joined(separator: " "))) | \(variable) |"
      }
  }

  private func cell(_ text: String) -> String { text.replacing("|", with: "\\|") }
}
