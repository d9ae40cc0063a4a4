import Testing

@testable import PreheatCommand
@testable import Text

@Suite(.timeLimit(.minutes(10))) struct HelpTextTests {
  static let commands: [CommandSpec?] = [nil] + OptionTable.preheat.commands
  let help = HelpText(.preheat)

  @Test(arguments: commands) func shortHelpFitsAScreenAndBeginsWithExamples(command: CommandSpec?) {
    let text = help.short(command)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    #expect(lines.count <= 23, "one line is left for the prompt")
    #expect(lines.allSatisfy { $0.count <= 80 })
    #expect(lines.first == "Examples:")
    #expect(lines.allSatisfy { !$0.hasSuffix(" ") })
  }

  @Test(arguments: commands) func fullHelpIsEightyColumnsWide(command: CommandSpec?) {
    let lines = help.full(command).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.filter { $0.count > 80 || $0.hasSuffix(" ") } == [])
  }

  @Test(arguments: OptionTable.preheat.commands) func fullHelpHasEverythingOfItsCommand(command: CommandSpec)
  {
    let text = help.full(command)
    for option in command.options {
      #expect(text.contains("  \(option.fullUsage)\n"))
      if let variable = option.environment { #expect(text.contains("  \(variable)")) }
    }
    for positional in command.positionals { #expect(text.contains("  \(positional.usage)")) }
    for example in command.examples { #expect(text.contains(example.line)) }
    for code in ExitCode.allCases { #expect(text.contains("\n  \(code.rawValue) ")) }
  }

  @Test func theOverviewHasEveryOptionOfEveryCommand() {
    let text = help.full(nil)
    for command in OptionTable.preheat.commands {
      #expect(text.contains("\n  \(command.name) "))
      for option in command.options { #expect(text.contains("\n  \(option.fullUsage)\n")) }
    }
  }

  static let wraps: [(String, Int, Int, [String])] = [
    ("", 10, 0, []), ("one", 10, 0, ["one"]), ("one two three", 7, 0, ["one two", "three"]),
    ("one two", 6, 0, ["one", "two"]), ("a toolongword b", 6, 0, ["a", "toolongword", "b"]),
    ("one two", 6, 2, ["  one", "  two"]),
  ]

  @Test(arguments: wraps) func paragraphsAreBrokenAtSpaces(
    text: String, width: Int, indent: Int, lines: [String]
  ) {
    #expect(TextLayout.wrap(text, width: width, indent: indent) == lines)
  }

  @Test func columnsAlignAndAWideNameHasItsOwnLine() {
    let rows = [("a", "one two"), ("much-too-wide", "three"), ("empty", "")]
    #expect(
      TextLayout.columns(rows, left: 8, width: 12)
        == ["  a     one", "        two", "  much-too-wide", "        three", "  empty"])
  }
}
