import TestSupport
import Testing

@testable import PreheatCommand

@Suite(.timeLimit(.minutes(10))) struct CompletionsTests {
  @Test(arguments: Shell.allCases) func everyCommandAndOptionIsCompleted(shell: Shell) {
    let text = Completions(table: .preheat).script(for: shell)
    for command in OptionTable.preheat.commands {
      #expect(text.contains(command.name))
      for option in command.options {
        let spelling = shell == .fish ? "-l \(option.flag) " : "--\(option.flag)"
        #expect(text.contains(spelling))
        for word in option.choices { #expect(text.contains(word)) }
        if option.isNegatable { #expect(text.contains("no-\(option.flag)")) }
      }
    }
  }

  @Test(arguments: Shell.allCases) func theShellFindsNoFault(shell: Shell) throws {
    guard let tool = Tool(shell.rawValue) else { return }
    let folder = try TemporaryFolder()
    try Completions(table: .preheat).script(for: shell).write(
      to: folder.file("script"), atomically: true, encoding: .utf8)
    let result = try tool.run(["-n", folder.file("script").path])
    #expect(result.status == 0)
    #expect(result.output == "")
  }

  /// Words before the cursor, as bash splits them, and what is offered.
  static let offers: [([String], [String])] = [
    (["preheat", "pl"], ["plan"]),
    (["preheat", ""], OptionTable.preheat.commands.map(\.name)),
    (["preheat", "run", "--max-p"], ["--max-pixels"]),
    (["preheat", "plan", "--max-p"], []),
    (["preheat", "diff", "--max"], []),
    (["preheat", "--verb"], ["--verbose"]),
    (["preheat", "--quiet", "ke"], ["key"]),
    (["preheat", "run", "--policy", "store"], ["storeOriginalData", "storeEncodedImages", "storeAll"]),
    (["preheat", "run", "--policy", "=", "storeA"], ["storeAll"]),
    (["preheat", "run", "--fail-on", "="], ["none", "any", "all"]),
    (["preheat", "help", "--completions", "f"], ["fish"]),
    (["preheat", "help", "k"], ["key"]),
    (["preheat", "run", "--client", "nu"], []),
    (["preheat", "run", "cat"], []),
    (["preheat", "run", "--no-wa"], ["--no-wait"]),
  ]

  @Test(.enabled(if: Tool.isInstalled("bash")), arguments: offers)
  func bashOffersWhatFits(words: [String], expected: [String]) throws {
    let folder = try TemporaryFolder()
    let script = folder.file("script")
    let typed = words.map { "'\($0)'" }.joined(separator: " ")
    let text =
      Completions(table: .preheat).script(for: .bash) + """
        COMP_WORDS=(\(typed)); COMP_CWORD=\(words.count - 1)
        _preheat
        for word in "${COMPREPLY[@]}"; do echo "$word"; done
        """
    try text.write(to: script, atomically: true, encoding: .utf8)
    let result = try #require(Tool("bash")).run(["--norc", script.path])
    #expect(result.status == 0)
    let offered = result.output.split(separator: "\n").map(String.init).filter {
      !$0.hasPrefix("-") || words.last?.isEmpty == false
    }
    #expect(offered == expected)
  }
}
