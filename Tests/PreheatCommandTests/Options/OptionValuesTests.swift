import ClientRegistry
import JobFile
import Testing

@testable import PreheatCommand

@Suite(.timeLimit(.minutes(10))) struct OptionValuesTests {
  static func values(
    _ arguments: [String], _ environment: [String: String] = [:], table: OptionTable = .preheat
  ) throws -> OptionValues {
    let low = try LowArguments(parsing: arguments, table: table)
    let command = try PreheatCommand.spec(low.words.first ?? "", table)
    return try OptionValues(low, command: command, environment: environment, table: table)
  }

  /// The job of one line that `run` would read with these arguments, and what is wrong with it.
  static func job(
    _ arguments: [String], _ environment: [String: String] = [:], table: OptionTable = .preheat,
    text: String = ""
  ) throws -> (job: JobHead, errors: [String]) {
    let head = ["run", "a", "--cache=out"] + (text.contains("client ") ? [] : ["--client=nuke 12"])
    let values = try values(head + arguments, environment, table: table)
    let job = JobReader(.text(name: "a.job", bytes: Array("\(text)\n/a.jpg\n".utf8)), try values.given())
    _ = job.read { _, _ in }
    let errors = job.diagnostics.filter { $0.severity == .error }
    return (job.head, errors.map { "\($0.file): \($0.message)" + ($0.help.map { "; \($0)" } ?? "") })
  }

  @Test func theLastOfASingleOptionHoldsAndAllOfARepeatableOne() throws {
    let values = try Self.values(
      ["run", "--client", "nuke 11", "--chain", "a", "a.job", "--client=nuke 12", "--chain", "b | c"])
    #expect(values.typed["client"] == ["nuke 12"])
    #expect(values.typed["default"] == ["a", "b | c"])
    #expect(values.words == ["a.job"])
    #expect(try Self.values(["run", "--wait", "--no-wait", "a"])[CommandKey.wait] == false)
    #expect(try Self.values(["run", "--no-wait", "--wait", "a"])[CommandKey.wait])
    #expect(try Self.values(["run", "--workers=3", "-w2", "a"])[CommandKey.workers] == 2)
  }

  @Test func whatIsTypedHoldsOverTheEnvironment() throws {
    let environment = [
      "PREHEAT_CLIENT": "nuke 10", "PREHEAT_WORKERS": "8", "PREHEAT_WAIT": "1", "PREHEAT_STRICT": "1",
      "PREHEAT_CHAIN": "circle\nresize(width: 3) | circle\n", "PREHEAT_ALLOW_PRIVATE": " a  b\t",
      "PREHEAT_ALLOW_FORMAT": "tiff, heif", "PREHEAT_CACHE": "",
    ]
    let arguments = ["--client", "nuke 12", "--no-wait", "--allow-private", "c"]
    let values = try Self.values(["run", "a"] + arguments, environment)
    #expect(values.typed["client"] == ["nuke 12"])
    #expect(values[CommandKey.workers] == 8)
    #expect(!values[CommandKey.wait])
    let run = try RunArguments(values)
    #expect(run.options.isStrict)
    #expect(values[CommandKey.allowFormat] == [.tiff, .heif])
    let typed = try Self.values(["run", "a", "--allow-format", "avif"], environment)
    #expect(typed[CommandKey.allowFormat] == [.avif])

    let job = try Self.job(arguments, environment).job
    #expect(job.settings?.client.description == ClientRegistry.client("nuke 12")?.description)
    #expect(job.chains.rows.map(\.label) == ["circle", "resize(width: 3) | circle"])
    // Hosts add up: a list for all runs and one more for this.
    #expect(job.settings?.values[JobKey.allowPrivate].sorted() == ["a", "b", "c"])
  }

  @Test(arguments: [
    ("1", true), ("TRUE", true), ("yes", true), ("on", true), ("0", false), ("off", false), ("no", false),
  ])
  func flagsOfTheEnvironmentAreOnOrOff(text: String, isOn: Bool) throws {
    #expect(try Self.values(["run", "a"], ["PREHEAT_WAIT": text])[CommandKey.wait] == isOn)
  }

  static let bad: [(arguments: [String], environment: [String: String], UsageError.Code, String)] = [
    (["run"], [:], .missingArgument, "JOB is missing: preheat run [options] JOB..."),
    (["key"], [:], .missingArgument, "URL is missing: preheat key [options] URL [CHAIN]"),
    (["key", "a", "b", "c"], [:], .unexpectedArgument, "unexpected argument 'c'"),
    (["help", "run", "plan"], [:], .unexpectedArgument, "unexpected argument 'plan'"),
    (["plan", "--wait", "a"], [:], .optionOfOtherCommand, "--wait is not an option of 'plan'"),
    (["run", "--man", "a"], [:], .optionOfOtherCommand, "--man is not an option of 'run'"),
    (
      ["run", "--workers", "four", "a"], [:], .invalidValue,
      "workers is a whole number from 1 to 256, not 'four'"
    ),
    (["run", "-w0", "a"], [:], .invalidValue, "-w: workers is a whole number from 1 to 256, not '0'"),
    (["run", "--workers=999", "--workers=2", "a"], [:], .invalidValue, "from 1 to 256, not '999'"),
    (["run", "--retries=-1", "a"], [:], .invalidValue, "retries is a whole number from 0 to 100, not '-1'"),
    (["run", "--workers=99999999999999999999", "a"], [:], .invalidValue, "is a whole number"),
    (["run", "--workers=4 5", "a"], [:], .invalidValue, "--workers: "),
    (
      ["run", "--fetch-timeout=soon", "a"], [:], .invalidValue,
      "fetch-timeout is a number of seconds from 0.1 to 86400, not 'soon'"
    ),
    (["run", "--fetch-timeout=nan", "a"], [:], .invalidValue, "is a number of seconds from 0.1 to 86400"),
    (["run", "--fetch-timeout=0", "a"], [:], .invalidValue, "is a number of seconds from 0.1 to 86400"),
    (["run", "--fail-on=some", "a"], [:], .invalidValue, "'some' is not a value of --fail-on"),
    (["run", "--allow-format=jxl", "a"], [:], .invalidValue, "no format is called 'jxl'"),
    (["help", "--completions=ksh"], [:], .invalidValue, "no shell is called 'ksh'"),
    (["run", "a"], ["PREHEAT_WORKERS": "many"], .invalidValue, "PREHEAT_WORKERS: workers is a whole number"),
    (["run", "a"], ["PREHEAT_WAIT": "maybe"], .invalidValue, "PREHEAT_WAIT: wait is on or off, not 'maybe'"),
    (["run", "a"], ["PREHEAT_ALLOW_FORMAT": "avif bmp"], .invalidValue, "PREHEAT_ALLOW_FORMAT: no format"),
  ]

  @Test(arguments: bad) func aWrongValueIsExplained(
    arguments: [String], environment: [String: String], code: UsageError.Code, message: String
  ) {
    let error = #expect(throws: UsageError.self) { try Self.values(arguments, environment) }
    #expect(error?.code == code)
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "no error")")
  }

  /// Settings of jobs are read by the job's own reader, which names the flag or variable.
  static let badInJobs: [(arguments: [String], environment: [String: String], String)] = [
    (["--client="], [:], "--client: "), (["--client=frob 1"], [:], "--client: no client is called 'frob'"),
    (
      ["--render-timeout=soon"], [:],
      "--render-timeout: render-timeout is a number of seconds from 0.1 to 86400"
    ),
    (
      ["--render-timeout=nan"], [:],
      "--render-timeout: render-timeout is a number of seconds from 0.1 to 86400"
    ),
    (["--max-bytes=1T"], [:], "--max-bytes: max-bytes is a number of bytes"),
    (["--max-bytes=2000G"], [:], "--max-bytes: max-bytes is a number of bytes"),
    (["--policy=storeal"], [:], "--policy: no policy is called 'storeal'; did you mean 'storeAll'?"),
    ([], ["PREHEAT_MAX_PIXELS": "many"], "PREHEAT_MAX_PIXELS: max-pixels is a whole number"),
    ([], ["PREHEAT_RENDER_TIMEOUT": "0"], "PREHEAT_RENDER_TIMEOUT: render-timeout is a number of seconds"),
  ]

  @Test(arguments: badInJobs) func aWrongSettingOfAJobIsExplained(
    arguments: [String], environment: [String: String], message: String
  ) throws {
    let errors = try Self.job(arguments, environment).errors
    #expect(errors.contains { $0.hasPrefix(message) }, "\(errors)")
  }

  @Test func aMistypedWordIsPutRight() {
    for (argument, advice) in [
      ("--completions=zhs", "did you mean 'zsh'?"), ("--completions=ksh", "did you mean 'zsh'?"),
    ] {
      let error = #expect(throws: UsageError.self) { try Self.values(["help", argument]) }
      #expect(error?.suggestion == advice)
    }
    let error = #expect(throws: UsageError.self) { try Self.values(["run", "a", "--fail-on=some"]) }
    #expect(error?.suggestion?.hasPrefix("write none, any, all, a number") == true)
  }

  @Test func anOptionOfAnotherCommandNamesItsHome() {
    let error = #expect(throws: UsageError.self) { try Self.values(["key", "--cache", "x", "u"]) }
    #expect(error?.suggestion == "it belongs to: run, plan, init, code")
  }

  @Test(arguments: [
    ("1", 1), ("500000", 500_000), ("64K", 65_536), ("64k", 65_536), ("100M", 100 << 20), ("2G", 2 << 30),
  ])
  func bytesAreReadWithTheirSuffix(text: String, bytes: Int) throws {
    for job in [
      try Self.job(["--max-bytes", text]), try Self.job([], text: "max-bytes \(text)"),
      try Self.job([], ["PREHEAT_MAX_BYTES": text]),
    ] {
      #expect(job.job.settings?.values.limits().maxBytes == bytes)
    }
  }
}
