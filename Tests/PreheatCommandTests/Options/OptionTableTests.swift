import TestSupport
import Testing

@testable import PreheatCommand

@Suite(.timeLimit(.minutes(10))) struct OptionTableTests {
  let table = OptionTable.preheat

  @Test func everyCommandThatDoesSomethingHasARow() {
    let names = PreheatCommand.commands.map { $0.spec.name }
    #expect(Set(names).count == names.count)
    #expect(Set(names) == Set(table.commands.map(\.name)))
  }

  @Test func thereAreAsManyCommandsAndOptionsAsTheLimitsSay() throws {
    #expect(SizeLimit.commands.fault(of: table.commands.count) == nil)
    #expect(SizeLimit.options.fault(of: table.options.count) == nil)
    let run = try #require(table.command(named: "run"))
    #expect(SizeLimit.runOptions.fault(of: run.options.count) == nil)
  }

  @Test func namesAndLettersAreUniqueWithinACommand() {
    for command in table.commands {
      let names = command.options.flatMap { $0.isNegatable ? [$0.flag, "no-" + $0.flag] : [$0.flag] }
      #expect(Set(names).count == names.count)
      let letters = command.options.compactMap(\.short)
      #expect(Set(letters).count == letters.count)
    }
  }

  /// Options are read before the command is known, so a name has to mean one thing everywhere.
  @Test func anOptionIsReadTheSameWayInEveryCommand() {
    for option in table.commands.flatMap(\.options) {
      let first = table.option(named: option.flag)
      #expect(first?.short == option.short)
      #expect(first?.form == option.form)
      #expect(first?.valueName == option.valueName)
      #expect(first?.isNegatable == option.isNegatable)
      #expect(first?.repetition == option.repetition)
      #expect(first?.environment == option.environment)
      if let short = option.short { #expect(table.option(short: short)?.flag == option.flag) }
    }
  }

  @Test func variablesAreNamedLikeTheirOptions() {
    for option in table.options {
      guard let variable = option.environment else { continue }
      #expect(variable == "PREHEAT_" + option.flag.uppercased().replacing("-", with: "_"))
    }
  }

  @Test func rowsMakeSense() {
    for option in table.options + table.jobs.rows {
      #expect(!option.summary.isEmpty && !option.summary.hasSuffix("."))
      #expect(option.repetition == .single || !option.isFlag)
      #expect(option.isFlag == option.valueName.isEmpty)
      #expect(option.detail.isEmpty || option.detail.hasSuffix("."))
      #expect(!option.flag.hasPrefix("no-") && !option.flag.contains("="))
    }
  }

  @Test func everySettingOfAJobThatIsAFlagIsAnOptionOfRun() throws {
    let run = try #require(table.command(named: "run"))
    for row in table.jobs.rows where row.places.contains(.flag) {
      #expect(run.option(named: row.flag)?.name == row.name)
    }
  }

  /// No command takes an option that it would have to ignore.
  @Test func aCommandHasTheSettingsThatCanChangeItsWork() throws {
    let ofRun = [
      "allow-private", "rate-limit", "per-host", "http-cache", "stale-if-error", "check", "embedded", "gamut",
      "max-pixels", "max-side", "max-animation-pixels", "max-bytes", "max-memory", "render-timeout",
    ]
    let foreign = [
      "plan": ofRun, "code": ofRun + ["prune", "encode", "size-limit"],
      "key": ofRun + ["prune", "cache", "chain"],
    ]
    for (name, settings) in foreign {
      let command = try #require(table.command(named: name))
      for setting in settings { #expect(command.option(named: setting) == nil, "\(name) --\(setting)") }
      for setting in ["client", "scale", "style"] { #expect(command.option(named: setting) != nil) }
      let error = #expect(throws: UsageError.self) {
        try OptionValuesTests.values([name, "a", "--max-pixels=5"])
      }
      #expect(error?.message == "--max-pixels is not an option of '\(name)'")
      #expect(error?.suggestion == "it belongs to: run, verify")
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

/// A failed test names the command in place of printing its whole row.
extension CommandSpec: CustomTestStringConvertible {
  public var testDescription: String { name }
}
