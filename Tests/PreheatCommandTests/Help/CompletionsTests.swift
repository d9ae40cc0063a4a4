import TestSupport
import Testing

@testable import PreheatCommand

@Suite(.timeLimit(.minutes(10))) struct CompletionsTests {
  private func offered(_ words: [String]) -> [String] {
    Completions(table: .preheat).text(words).split(separator: "\n").map {
      String($0.prefix { $0 != "\t" })
    }
  }

  @Test func everyCommandAndOptionIsCompleted() {
    for command in OptionTable.preheat.commands {
      #expect(offered([command.name]).contains(command.name))
      let words = offered([command.name, "-"])
      for option in command.options {
        #expect(words.contains("--\(option.flag)"))
        #expect(words.contains("--no-\(option.flag)") == option.isNegatable)
        if !option.isFlag { #expect(offered([command.name, "--\(option.flag)", ""]) == option.choices) }
      }
    }
  }

  @Test(arguments: Shell.allCases) func theShellFindsNoFault(shell: Shell) throws {
    guard Program.isInstalled(shell.rawValue) else { return }
    let folder = try TemporaryFolder()
    try shell.script.write(to: folder.file("script"), atomically: true, encoding: .utf8)
    try Program.run([shell.rawValue, "-n", folder.file("script").path]).expect(0, isSilent: true)
  }

  /// Words behind the program's name, as bash and the others split them, and what is offered.
  static let offers: [([String], [String])] = [
    (["pl"], ["plan"]), (["run", "--max-p"], ["--max-pixels"]),
    (["plan", "--max-p"], []), (["--verb"], ["--verbose"]),
    (["--quiet", "ke"], ["key"]),
    (["run", "--policy", "store"], ["storeOriginalData", "storeEncodedImages", "storeAll"]),
    (["run", "--policy", "=", "storeA"], ["storeAll"]),
    (["run", "--policy=storeA"], ["--policy=storeAll"]),
    (["run", "--fail-on", "="], ["none", "any", "all"]),
    (["help", "--completions", "f"], ["fish"]), (["help", "k"], ["key"]),
    (["run", "--client", "nu"], []), (["run", "-w", ""], []), (["run", "cat"], []),
    (["run", "--no-wa"], ["--no-wait"]),
  ]

  @Test(arguments: offers) func whatFitsIsOffered(words: [String], expected: [String]) async throws {
    #expect(offered(words) == expected)
    let outcome = try await Outcome(of: [Completions.word] + words).expect(0)
    #expect(outcome.output == Completions(table: .preheat).text(words))
  }

  /// The program is a function of the shell's here.
  @Test(.enabled(if: Program.isInstalled("bash"))) func bashOffersIt() throws {
    let folder = try TemporaryFolder()
    let script = folder.file("script")
    let text =
      Shell.bash.script + """
        preheat() { printf '%s\\n' "plan of $1 $2 $3" $'key\\tshow the key'; }
        COMP_WORDS=(preheat --quiet k e); COMP_CWORD=2
        _preheat
        printf '%s\\n' "${COMPREPLY[@]}"
        """
    try text.write(to: script, atomically: true, encoding: .utf8)
    let result = try Program.run(["bash", "--norc", script.path])
    #expect(result.output == "plan of __complete --quiet k\nkey\n")
  }
}
