/// Every command and option of `preheat`: the one source of parsing, help, man page, completions and
/// reference page.
package struct OptionTable: Sendable, Hashable {
  package var commands: [CommandSpec]

  package init(commands: [CommandSpec]) {
    self.commands = commands
  }

  /// The table of this program.
  package static let preheat = OptionTable(
    commands: [
      run, plan, key, inspect, verify, sweep, bundle, merge, diff, code, timings, report, doctor, help,
    ])

  package func command(named name: String) -> CommandSpec? { commands.first { $0.name == name } }

  /// Every option once, in the order of first appearance. A name means the same in all commands, so
  /// options can be read before the command word is known.
  package var options: [OptionSpec] {
    var seen: Set<String> = []
    return commands.flatMap(\.options).filter { seen.insert($0.name).inserted }
  }

  package func option(named name: String) -> OptionSpec? { options.first { $0.name == name } }

  package func option(short: Character) -> OptionSpec? { options.first { $0.short == short } }

  /// The commands that know an option.
  package func commands(withOption name: String) -> [String] {
    commands.filter { $0.option(named: name) != nil }.map(\.name)
  }
}
