import Syntax

/// The reference page (`command.md` of a release): an option that several commands have stands there once.
extension HelpPage {
  static func reference(_ table: OptionTable) -> String {
    let shared = SharedOptions(table)
    let commands = table.commands.map { command in
      "\n## preheat \(command.name)\n\n"
        + page(of: command, options: shared.blocks(of: command)).markdown(level: 3)
    }
    return """
      <!-- Made by `make docs` from the option table; changes here are lost. -->

      # The preheat command

      \(program(table, environment: HelpTopic.shortEnvironmentBlocks).markdown(level: 2))
      ## Shared options

      Options that several commands have with one meaning. Each command names those that it has.

      \(HelpPage(summary: "", blocks: shared.blocks).markdown(level: 3))
      """ + commands.joined()
  }
}

/// The options that two commands or more have with the same meaning.
private struct SharedOptions {
  private typealias Group = (title: String, rows: [Setting])

  private let groups: [Group]

  init(_ table: OptionTable) {
    var rows: [Setting] = []
    for row in table.commands.flatMap(\.options) where !Self.isEverywhere(row) && !Self.has(row, rows) {
      if table.commands.count(where: { Self.has(row, $0.options) }) > 1 { rows.append(row) }
    }
    let topics = Setting.Topic.allCases.map { [rows] topic in
      ("\(topic.rawValue) options", rows.filter { $0.topic == topic && $0.owner == nil })
    }
    groups = (topics + [("Client settings", rows.filter { $0.owner != nil })]).filter { !$0.1.isEmpty }
  }

  var blocks: [HelpPage.Block] { groups.flatMap { [.heading($0.title), HelpPage.options($0.rows)] } }

  /// The command's own options, then the names of those it shares.
  func blocks(of command: CommandSpec) -> [HelpPage.Block] {
    let shared = groups.flatMap(\.rows)
    let own = command.topics.flatMap(\.options).filter { !Self.isEverywhere($0) && !Self.has($0, shared) }
    let names = groups.compactMap { name(of: $0, in: command) }.joined(separator: "; ")
    return (own.isEmpty ? [] : [.heading("Options"), HelpPage.options(own)])
      + (names.isEmpty ? [] : [.text("Shared options: \(names).")])
  }

  /// `all [network options](#network-options)`, or the options of the group that the command has.
  private func name(of group: Group, in command: CommandSpec) -> String? {
    let rows = group.rows.filter { Self.has($0, command.options) }
    let title = group.title.lowercased()
    let link = "[\(title)](#\(title.replacing(" ", with: "-")))"
    if rows.isEmpty { return nil }
    if rows.count == group.rows.count { return "all \(link)" }
    return "\(link) " + rows.map { "`--\($0.flag)`" }.joined(separator: ", ")
  }

  /// A command with other details explains the option by itself; of one without a job the default is not the job's.
  private static func has(_ row: Setting, _ rows: [Setting]) -> Bool {
    rows.contains { $0.flag == row.flag && $0.summary == row.summary && $0.detail == row.detail }
  }

  private static func isEverywhere(_ row: Setting) -> Bool { has(row, CommandRows.everywhere) }
}
