import JobFile
import Testing

@testable import PreheatCommand
@testable import Text

@Suite(.timeLimit(.minutes(10))) struct LowArgumentsTests {
  /// Arguments, the words among them, and the options as `spelling=value`.
  static let good: [(arguments: String, words: [String], options: [String])] = [
    ("", [], []),
    ("run a.job", ["run", "a.job"], []),
    ("run --client nuke a.job", ["run", "a.job"], ["--client=nuke"]),
    ("run --client=nuke a.job", ["run", "a.job"], ["--client=nuke"]),
    ("run --client=a=b", ["run"], ["--client=a=b"]),
    ("run --client=-x", ["run"], ["--client=-x"]),
    ("run --client=", ["run"], ["--client="]),
    ("--json plan a.job", ["plan", "a.job"], ["--json=on"]),
    ("--workers 4 run a.job", ["run", "a.job"], ["--workers=4"]),
    ("run a.job --wait b.job", ["run", "a.job", "b.job"], ["--wait=on"]),
    ("run -qv a", ["run", "a"], ["-q=on", "-v=on"]),
    ("run -w4", ["run"], ["-w=4"]),
    ("run -w 4", ["run"], ["-w=4"]),
    ("run -w=4", ["run"], ["-w=4"]),
    ("run -qw4", ["run"], ["-q=on", "-w=4"]),
    ("run -qvw 4 a", ["run", "a"], ["-q=on", "-v=on", "-w=4"]),
    ("run --no-wait a", ["run", "a"], ["--no-wait=off"]),
    ("run -- --wait -q -", ["run", "--wait", "-q", "-"], []),
    ("run --", ["run"], []),
    ("run -- --", ["run", "--"], []),
    ("run -", ["run", "-"], []),
    ("run --cache - a", ["run", "a"], ["--cache=-"]),
    ("run --chain a --chain b", ["run"], ["--chain=a", "--chain=b"]),
    ("bundle a --drop", ["bundle", "a"], ["--drop=sources"]),
    ("bundle --drop a", ["bundle", "a"], ["--drop=sources"]),
    ("bundle --drop --json", ["bundle"], ["--drop=sources", "--json=on"]),
    ("bundle --drop entries a", ["bundle", "a"], ["--drop=entries"]),
    ("bundle --drop=entries", ["bundle"], ["--drop=entries"]),
    ("-h run", ["run"], ["-h=on"]),
    ("run --help", ["run"], ["--help=on"]),
  ]

  @Test(arguments: good) func argumentsAreSortedIntoWordsAndOptions(
    arguments: String, words: [String], options: [String]
  ) throws {
    let low = try LowArguments(parsing: arguments.split(separator: " ").map(String.init))
    #expect(low.words == words)
    #expect(low.occurrences.map { "\($0.spelling)=\($0.value)" } == options)
  }

  static let bad: [(arguments: String, code: UsageError.Code, message: String, suggestion: String?)] = [
    ("run --cleint x", .unknownOption, "unknown option '--cleint'", "did you mean '--client'?"),
    ("run --failures f", .unknownOption, "unknown option '--failures'", GoneWords.advice["failures"]),
    ("run --cleint=x", .unknownOption, "unknown option '--cleint'", "did you mean '--client'?"),
    ("run --retri 4", .unknownOption, "unknown option '--retri'", "did you mean '--retries'?"),
    ("run --no-wiat", .unknownOption, "unknown option '--no-wiat'", "did you mean '--no-wait'?"),
    ("run --no-client", .unknownOption, "unknown option '--no-client'", "did you mean '--client'?"),
    ("run --frobnicate", .unknownOption, "unknown option '--frobnicate'", nil),
    ("run --=x", .unknownOption, "unknown option '--'", nil),
    ("run ---wait", .unknownOption, "unknown option '---wait'", "did you mean '--wait'?"),
    ("run -x", .unknownOption, "unknown option '-x'", nil),
    ("run -qx", .unknownOption, "unknown option '-x' in '-qx'", nil),
    ("run -client x", .unknownOption, "unknown option '-c' in '-client'", "did you mean '--client'?"),
    ("run --client", .missingValue, "--client needs a value: --client VERSION", nil),
    ("run -w", .missingValue, "-w needs a value: -w N", nil),
    (
      "run --cache --json", .missingValue, "--cache needs a value: --cache DIR",
      "write --cache=--json if that is the value"
    ),
    (
      "run --client -- x", .missingValue, "--client needs a value: --client VERSION",
      "write --client=-- if that is the value"
    ),
    ("run --wait=1", .unexpectedValue, "--wait takes no value", nil),
    ("run --no-wait=1", .unexpectedValue, "--no-wait takes no value", nil),
    ("run -q=1", .unexpectedValue, "-q takes no value", nil),
  ]

  @Test(arguments: bad) func aWrongSpellingIsExplained(
    arguments: String, code: UsageError.Code, message: String, suggestion: String?
  ) {
    let error = #expect(throws: UsageError.self) {
      try LowArguments(parsing: arguments.split(separator: " ").map(String.init))
    }
    #expect(error?.code == code)
    #expect(error?.message == message)
    #expect(error?.suggestion == suggestion)
    #expect(error?.command == "run")
  }

  @Test func errorsAreTwoSafeLines() {
    let error = #expect(throws: UsageError.self) { try LowArguments(parsing: ["--\u{1b}[2J\n", "plan"]) }
    #expect(error?.lines == ["preheat: error: unknown option '--\\u{1b}[2J\\n'", "try 'preheat help plan'"])
  }

  @Test func noArgumentsWhateverCrashTheParser() {
    var random = SystemRandomNumberGenerator()
    let table = OptionTable.preheat
    let pieces = [
      "-", "--", "=", "run", "j", "q", "no-", "wait", "client", "é", "\u{1b}", "", " ", "4", "\n",
    ]
    for _ in 0..<5000 {
      let arguments = (0..<Int.random(in: 0...5, using: &random)).map { _ in
        (0..<Int.random(in: 0...4, using: &random)).map { _ in pieces.randomElement() ?? "" }.joined()
      }
      do {
        let low = try LowArguments(parsing: arguments, table: table)
        #expect(low.words.count + low.occurrences.count <= arguments.reduce(0) { $0 + $1.count + 1 })
      } catch {
        #expect(error.lines.allSatisfy { SafeText.escape($0) == $0 })
      }
    }
  }
}

@Suite(.timeLimit(.minutes(10))) struct NearestWordTests {
  @Test(arguments: [
    ("cleint", "client"), ("Client", "client"), ("conn", "connections"), ("polcy", "policy"),
    ("jsn", "json"), ("x", nil), ("", nil), ("frobnicate", nil), ("ca", nil), ("max-pixel", "max-pixels"),
  ]) func theNearestWordIsFoundOrNone(typed: String, meant: String?) {
    let known = ["client", "cache", "policy", "json", "connections", "max-pixels"]
    #expect(nearestWord(to: typed, in: known) == meant)
  }
}
