import Settings

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
    lines += ["", "## Options of every command", ""] + options(CommandRows.everywhere)
    lines += ["", "## Environment", "", Wording.environment, "", "| Variable | Meaning |", "| --- | --- |"]
    for option in table.options {
      if let variable = option.environment { lines.append("| `\(variable)` | as `\(cell(option.usage))` |") }
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
    let shared = Set(CommandRows.everywhere.map(\.flag))
    let own = command.options.filter { !shared.contains($0.flag) }
    guard !own.isEmpty else { return lines }
    return lines + [""] + options(own)
  }

  private func options(_ options: [Setting]) -> [String] {
    ["| Option | Meaning | Variable |", "| --- | --- | --- |"]
      + options.map { option in
        let variable = option.environment.map { "`\($0)`" } ?? ""
        return
          "| `\(cell(option.fullUsage))` | \(cell(option.sentences.joined(separator: " "))) | \(variable) |"
      }
  }

  /// The part of `docs/job-file.md` that lists what a job may say.
  var jobSettings: String {
    var lines: [String] = []
    for topic in Setting.Topic.allCases {
      let rows = table.jobs.jobRows.filter { $0.topic == topic }
      guard !rows.isEmpty else { continue }
      lines += ["", "### \(topic.rawValue)", "", "| Setting | Meaning | Flag |", "| --- | --- | --- |"]
      for row in rows {
        let flag = row.places.contains(.flag) ? "`--\(row.flag)`" : ""
        let text = row.jobSentences.joined(separator: " ")
        lines.append("| `\(cell(row.example))` | \(cell(text)) | \(flag) |")
      }
    }
    return lines.dropFirst().joined(separator: "\n") + "\n"
  }

  private func cell(_ text: String) -> String { text.replacing("|", with: "\\|") }
}
