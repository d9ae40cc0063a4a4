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
        let first = option.isFlag ? "words" : option.form == .folder ? "folders" : "files"
        if !option.isFlag {
          #expect(
            offered([command.name, "--\(option.flag)", ""])
              == (option.choices.isEmpty ? [first] : ["words"] + option.choices))
        }
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
    (["pl"], ["words", "plan"]), (["run", "--max-p"], ["words", "--max-pixels"]),
    (["plan", "--max-p"], ["words"]), (["--verb"], ["words", "--verbose"]),
    (["--quiet", "ke"], ["words", "key"]),
    (["run", "--policy", "store"], ["words", "storeOriginalData", "storeEncodedImages", "storeAll"]),
    (["run", "--policy", "=", "storeA"], ["words", "storeAll"]),
    (["run", "--policy=storeA"], ["words", "--policy=storeAll"]),
    (["run", "--fail-on", "="], ["words", "none", "any", "all"]),
    (["help", "--completions", "f"], ["words", "fish"]), (["help", "k"], ["words", "key"]),
    (["run", "--client", "nu"], ["files"]), (["run", "--cache", ""], ["folders"]),
    (["run", "-w", ""], ["files"]), (["run", "cat"], ["files"]),
    (["run", "--no-wa"], ["words", "--no-wait"]),
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
        preheat() { printf '%s\\n' words "plan of $1 $2 $3" $'key\\tshow the key'; }
        COMP_WORDS=(preheat --quiet k e); COMP_CWORD=2
        _preheat
        printf '%s\\n' "${COMPREPLY[@]}"
        """
    try text.write(to: script, atomically: true, encoding: .utf8)
    let result = try Program.run(["bash", "--norc", script.path])
    #expect(result.output == "plan of __complete --quiet k\nkey\n")
  }
}
