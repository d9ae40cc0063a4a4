import Testing

@testable import PreheatCommand
@testable import Text

@Suite(.timeLimit(.minutes(10))) struct PreheatCommandTests {
  func preheat(_ arguments: String..., environment: [String: String] = [:]) async throws -> Outcome {
    try await Outcome(of: arguments, environment: environment)
  }

  @Test func theVersionIsPrinted() async throws {
    for outcome in [try await preheat("--version"), try await preheat("run", "--version")] {
      #expect(outcome.code == 0)
      #expect(outcome.output == "preheat \(PreheatVersion.text)\n")
      #expect(outcome.messages == "")
    }
  }

  @Test func helpIsGivenShortOrInFull() async throws {
    let short = try await preheat("run", "-h").expect(0)
    let full = try await preheat("--help", "run").expect(0)
    #expect(short.output.hasPrefix("Examples:") && full.output.hasPrefix("Usage: preheat run"))
  }

  @Test func helpNeedsNoArgumentsThatWouldBeNeededOtherwise() async throws {
    #expect(try await preheat("run", "--workers", "none", "--help").code == 0)
  }

  @Test func pagesAreMadeOnRequest() async throws {
    #expect(try await preheat("help", "--man").output.hasPrefix(".TH PREHEAT 1"))
    #expect(try await preheat("help", "--markdown").output.contains("# The preheat command"))
    #expect(try await preheat("help", "--completions", "zsh").output.hasPrefix("#compdef preheat\n"))
    try await preheat("help", "--man", "--markdown").expect(2, isSilent: true)
  }

  @Test(arguments: [
    ("rum", "unknown command 'rum'; did you mean 'run'?"),
    ("catalog.job", "unknown command 'catalog.job'; did you mean 'preheat run catalog.job'?"),
    ("\u{1b}[2J", "unknown command '\\u{1b}[2J'"),
    ("--grobe", "unknown option '--grobe'"),
  ]) func usageErrorsEndWithTwo(argument: String, message: String) async throws {
    let outcome = try await preheat(argument).expect(2)
    #expect(outcome.messages == "preheat: error: \(message)\ntry 'preheat help'\n")
  }

  @Test(arguments: [["help", "--completions=ksh"], ["plan"], ["merge", "a", "b"], ["run", "a", "-qv"]])
  func aMistakeLeadsToTheHelpOfItsCommand(arguments: [String]) async throws {
    let outcome = try await Outcome(of: arguments).expect(2)
    #expect(outcome.messages.hasSuffix("\ntry 'preheat help \(arguments[0])'\n"))
  }

  @Test func exitCodesAreThoseOfTheDocumentation() {
    #expect(Set(ExitCode.allCases.map(\.meaning)).count == ExitCode.allCases.count)
    #expect(ExitCode.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 130, 143])
  }
}

@Suite(.timeLimit(.minutes(10))) struct FailOnTests {
  static let rows: [(total: Int, failed: Int, retryable: Int, none: ExitCode, any: ExitCode, all: ExitCode)] =
    [
      (0, 0, 0, .success, .success, .success),
      (9, 0, 0, .success, .success, .success),
      (9, 1, 0, .success, .someFailed, .success),
      (9, 2, 1, .success, .someFailed, .success),
      (9, 2, 2, .success, .retryable, .success),
      (9, 9, 0, .success, .noneSucceeded, .noneSucceeded),
      (9, 9, 8, .success, .noneSucceeded, .noneSucceeded),
      (9, 9, 9, .success, .retryable, .retryable),
    ]

  @Test(arguments: rows) func failedRenditionsDecideTheExitCode(
    total: Int, failed: Int, retryable: Int, none: ExitCode, any: ExitCode, all: ExitCode
  ) {
    #expect(FailOn.none.exitCode(total: total, failed: failed, retryable: retryable) == none)
    #expect(FailOn.any.exitCode(total: total, failed: failed, retryable: retryable) == any)
    #expect(FailOn.all.exitCode(total: total, failed: failed, retryable: retryable) == all)
  }

  @Test(arguments: [
    ("none", FailOn.none), ("any", .any), ("all", .all), ("1", .count(1)), ("20", .count(20)),
    ("1%", .percent(1)),
    ("0.5%", .percent(0.5)), ("100%", .percent(100)),
  ]) func rulesReadAsTheyAreWritten(text: String, rule: FailOn) {
    #expect(FailOn(text) == rule)
  }

  @Test(arguments: [
    "", "0", "0%", "-1", "101%", "1.5", "%", "some", "1 %", "1e3", "99999999999999999999", "nan%",
  ])
  func othersAreNone(text: String) { #expect(FailOn(text) == nil) }

  @Test(arguments: [
    ("20", 1000, 19, ExitCode.success), ("20", 1000, 20, .someFailed), ("20", 20, 20, .noneSucceeded),
    ("3%", 4000, 119, .success), ("3%", 4000, 120, .someFailed), ("0.1%", 1000, 1, .someFailed),
    ("100%", 9, 8, .success), ("100%", 9, 9, .noneSucceeded), ("1%", 0, 0, .success),
  ]) func aBoundIsReachedByItsOwnNumber(text: String, total: Int, failed: Int, code: ExitCode) {
    #expect(FailOn(text)?.exitCode(total: total, failed: failed, retryable: 0) == code)
  }
}
