import Testing

@testable import PreheatCommand

@Suite(.timeLimit(.minutes(10))) struct OptionTableTests {
  let table = OptionTable.preheat

  @Test func everyCommandOfTheDesignIsKnown() {
    let names = [
      "run", "plan", "key", "inspect", "verify", "sweep", "bundle", "merge", "diff", "code",
      "timings", "report", "doctor", "help",
    ]
    #expect(table.commands.map(\.name).sorted() == names.sorted())
  }

  @Test func everyCommandThatDoesSomethingHasARow() {
    let names = PreheatCommand.commands.map { $0.name }
    #expect(Set(names).count == names.count)
    #expect(Set(names) == Set(table.commands.map(\.name)))
  }

  @Test func namesAndLettersAreUniqueWithinACommand() {
    for command in table.commands {
      let names = command.options.flatMap { $0.isNegatable ? [$0.name, "no-" + $0.name] : [$0.name] }
      #expect(Set(names).count == names.count)
      let letters = command.options.compactMap(\.short)
      #expect(Set(letters).count == letters.count)
    }
  }

  /// Options are read before the command is known, so a name has to mean one thing everywhere.
  @Test func anOptionIsReadTheSameWayInEveryCommand() {
    for option in table.commands.flatMap(\.options) {
      let first = table.option(named: option.name)
      #expect(first?.short == option.short)
      #expect(first?.value == option.value)
      #expect(first?.isNegatable == option.isNegatable)
      #expect(first?.repetition == option.repetition)
      #expect(first?.environment == option.environment)
      if let short = option.short { #expect(table.option(short: short)?.name == option.name) }
    }
  }

  @Test func variablesAreNamedLikeTheirOptions() {
    for option in table.options {
      guard let variable = option.environment else { continue }
      #expect(variable == "PREHEAT_" + option.name.uppercased().replacing("-", with: "_"))
    }
  }

  @Test func rowsMakeSense() {
    for option in table.options {
      #expect(!option.summary.isEmpty && !option.summary.hasSuffix("."))
      #expect(!option.isNegatable || option.value == nil)
      #expect(option.repetition == .lastWins || option.value != nil)
      #expect(option.detail.isEmpty || option.detail.hasSuffix("."))
      #expect(!option.name.hasPrefix("no-") && !option.name.contains("="))
    }
  }

  @Test func examplesParse() throws {
    for command in table.commands {
      #expect(!command.examples.isEmpty)
      for example in command.examples {
        let line = example.line.split(separator: " ").prefix { $0 != "|" && $0 != ">" }.joined(separator: " ")
        let words = Self.shellWords(line)
        #expect(words.first == "preheat")
        let low = try LowArguments(parsing: Array(words.dropFirst()))
        #expect(low.words.first == command.name)
        _ = try OptionValues(low, command: command)
      }
    }
  }

  /// Splits as a shell does, as far as the examples need it.
  static func shellWords(_ line: String) -> [String] {
    line.split(separator: "'", omittingEmptySubsequences: false).enumerated()
      .flatMap { $0.isMultiple(of: 2) ? $1.split(separator: " ").map(String.init) : [String($1)] }
  }
}
