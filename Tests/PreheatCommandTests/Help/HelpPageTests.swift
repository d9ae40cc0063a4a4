import Testing

@testable import PreheatCommand
@testable import Text

/// The pages as terminals show them.
@Suite(.timeLimit(.minutes(10))) struct HelpPageTests {
  static let commands = OptionTable.preheat.commands

  private static func lines(_ page: HelpPage) -> [Substring] {
    page.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
  }

  @Test(arguments: HelpPage.all(.preheat) + commands.map(HelpPage.brief)) func aPageIsEightyColumnsWide(
    page: HelpPage
  ) {
    #expect(Self.lines(page).filter { $0.count > 80 || $0.hasSuffix(" ") } == [])
    #expect(!page.text.contains("\n\n\n") && !page.text.contains("`"))
  }

  @Test(arguments: ["", "-h", "--help", "help"]) func theOverviewFitsAScreen(argument: String) async throws {
    let outcome = try await Outcome(of: argument.isEmpty ? [] : [argument])
    let text = argument.isEmpty ? outcome.messages : outcome.output
    #expect(text == HelpPage.overview(.preheat).text && outcome.code == (argument.isEmpty ? 2 : 0))
    #expect(
      text.split(separator: "\n", omittingEmptySubsequences: false).count <= 24, "a line for the prompt")
    for command in Self.commands where command.name != "help" {
      #expect(text.contains("\n  \(command.name.padded(to: 9))\(command.summary)\n"))
    }
    for topic in HelpTopic.allCases { #expect(text.contains(topic.rawValue)) }
  }

  @Test(arguments: commands) func briefHelpBeginsWithExamplesAndFitsAPage(command: CommandSpec) {
    let lines = Self.lines(.brief(command))
    #expect(lines.count <= 40)
    #expect(lines.first == "Examples:" && lines.last == "All options: preheat \(command.name) --help")
  }

  @Test func briefHelpOfRunHasTheOptionsOfEveryRun() throws {
    let page = HelpPage.brief(try #require(OptionTable.preheat.command(named: "run"))).text
    for name in ["--report", "--junit", "--quiet", "--skip-invalid", "--cache", "--json"] {
      #expect(page.contains(name), "\(name)")
    }
  }

  @Test(arguments: commands) func fullHelpHasEverythingOfItsCommand(command: CommandSpec) {
    let text = HelpPage.full(command).text
    for option in command.options {
      #expect(text.contains("  \(option.fullUsage)\n"))
      if let variable = option.environment { #expect(text.contains("\n      Variable: \(variable)\n")) }
    }
    for (topic, _) in command.topics { #expect(text.contains("\n\(topic.rawValue) options:\n")) }
    for positional in command.positionals { #expect(text.contains("  \(positional.usage)")) }
    for example in command.examples { #expect(text.contains("\n  \(example.line)\n")) }
  }

  @Test func helpOfACommandIsTheSameByBothNames() async throws {
    for command in Self.commands {
      let byOption = try await Outcome(of: [command.name, "--help"])
      let byWord = try await Outcome(of: ["help", command.name])
      #expect(byOption.output == byWord.output && byOption.output == HelpPage.full(command).text)
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
