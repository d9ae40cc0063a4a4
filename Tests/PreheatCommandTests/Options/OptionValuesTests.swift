import Testing

@testable import PreheatCommand

@Suite(.timeLimit(.minutes(10))) struct OptionValuesTests {
  static func values(_ arguments: [String], _ environment: [String: String] = [:]) throws -> OptionValues {
    let low = try LowArguments(parsing: arguments)
    let command = try PreheatCommand.spec(low.words.first ?? "")
    return try OptionValues(low, command: command, environment: environment)
  }

  @Test func theLastOfASingleOptionHoldsAndAllOfARepeatableOne() throws {
    let values = try Self.values(
      ["run", "--client", "nuke 11", "--chain", "a", "a.job", "--client=nuke 12", "--chain", "b | c"])
    #expect(values.text("client") == "nuke 12")
    #expect(values.list("chain") == ["a", "b | c"])
    #expect(values.words == ["a.job"])
    #expect(try Self.values(["run", "--wait", "--no-wait", "a"]).flag("wait") == false)
    #expect(try Self.values(["run", "--no-wait", "--wait", "a"]).flag("wait"))
  }

  @Test func whatIsTypedHoldsOverTheEnvironment() throws {
    let environment = [
      "PREHEAT_CLIENT": "nuke 10", "PREHEAT_JOBS": "8", "PREHEAT_WAIT": "1", "PREHEAT_STRICT": "1",
      "PREHEAT_CHAIN": "x\ny | z\n", "PREHEAT_ALLOW_PRIVATE": " a  b\t", "PREHEAT_CACHE": "",
    ]
    let values = try Self.values(
      ["run", "a", "--client", "nuke 12", "--no-wait", "--allow-private", "c"], environment)
    #expect(values.text("client") == "nuke 12")
    #expect(values.origin(of: "client") == .typed)
    #expect(values.integer("jobs") == 8)
    #expect(values.origin(of: "jobs") == .environment)
    #expect(!values.flag("wait"))
    #expect(values.flag("strict"))
    #expect(values.list("chain") == ["x", "y | z"])
    #expect(values.list("allow-private") == ["c"])
    #expect(values.origin(of: "cache") == nil, "an empty variable counts as absent")
    #expect(try Self.values(["run", "a"], environment).list("allow-private") == ["a", "b"])
  }

  @Test(arguments: [("1", true), ("TRUE", true), ("yes", true), ("on", true), ("0", false), ("off", false)])
  func flagsOfTheEnvironmentAreOnOrOff(text: String, isOn: Bool) throws {
    #expect(try Self.values(["run", "a"], ["PREHEAT_WAIT": text]).flag("wait") == isOn)
  }

  static let bad: [(arguments: [String], environment: [String: String], UsageError.Code, String)] = [
    (["run"], [:], .missingArgument, "JOB is missing: preheat run [options] JOB..."),
    (["key"], [:], .missingArgument, "URL is missing: preheat key [options] URL [CHAIN]"),
    (["key", "a", "b", "c"], [:], .unexpectedArgument, "unexpected argument 'c'"),
    (["help", "run", "plan"], [:], .unexpectedArgument, "unexpected argument 'plan'"),
    (["plan", "--wait", "a"], [:], .optionOfOtherCommand, "--wait is no option of 'plan'"),
    (["run", "--man", "a"], [:], .optionOfOtherCommand, "--man is no option of 'run'"),
    (["run", "--client=", "a"], [:], .invalidValue, "--client: '' is empty"),
    (["run", "--jobs", "four", "a"], [:], .invalidValue, "--jobs: 'four' is not a whole number"),
    (["run", "-j0", "a"], [:], .invalidValue, "-j: '0' is not within 1 to 256"),
    (["run", "--jobs=999", "--jobs=2", "a"], [:], .invalidValue, "--jobs: '999' is not within 1 to 256"),
    (["run", "--retries=-1", "a"], [:], .invalidValue, "--retries: '-1' is not within 0 to 100"),
    (["run", "--jobs=99999999999999999999", "a"], [:], .invalidValue, "is not a whole number"),
    (["run", "--timeout=soon", "a"], [:], .invalidValue, "--timeout: 'soon' is not a number of seconds"),
    (["run", "--timeout=nan", "a"], [:], .invalidValue, "is not within 0.1 to 86400.0 seconds"),
    (["run", "--timeout=0", "a"], [:], .invalidValue, "is not within 0.1 to 86400.0 seconds"),
    (["run", "--max-bytes=1T", "a"], [:], .invalidValue, "'1T' is not a number of bytes"),
    (["run", "--max-bytes=2000G", "a"], [:], .invalidValue, "is not within"),
    (["run", "--max-bytes=99999999999999G", "a"], [:], .invalidValue, "is not a number of bytes"),
    (["run", "--policy=storeal", "a"], [:], .invalidValue, "did you mean 'storeAll'?"),
    (["run", "--fail-on=some", "a"], [:], .invalidValue, "'some' is not one of none, any, all"),
    (["run", "--allow-format=jxl", "a"], [:], .invalidValue, "'jxl' is not one of tiff, heif, avif"),
    (["help", "--completions=ksh"], [:], .invalidValue, "did you mean 'zsh'?"),
    (["run", "a"], ["PREHEAT_JOBS": "many"], .invalidValue, "PREHEAT_JOBS: 'many' is not a whole number"),
    (["run", "a"], ["PREHEAT_WAIT": "maybe"], .invalidValue, "PREHEAT_WAIT: 'maybe' is neither 1 nor 0"),
    (["run", "a"], ["PREHEAT_ALLOW_FORMAT": "avif bmp"], .invalidValue, "PREHEAT_ALLOW_FORMAT: 'bmp'"),
  ]

  @Test(arguments: bad) func aWrongValueIsExplained(
    arguments: [String], environment: [String: String], code: UsageError.Code, message: String
  ) {
    let error = #expect(throws: UsageError.self) { try Self.values(arguments, environment) }
    #expect(error?.code == code)
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "no error")")
    #expect(error?.command == arguments.first)
  }

  @Test func anOptionOfAnotherCommandNamesItsHome() {
    let error = #expect(throws: UsageError.self) { try Self.values(["key", "--cache", "x", "u"]) }
    #expect(error?.suggestion == "it belongs to: run, plan, verify, code")
  }

  @Test(arguments: [
    ("1", 1), ("500000", 500_000), ("64K", 65_536), ("64k", 65_536), ("100M", 100 << 20), ("2G", 2 << 30),
  ])
  func bytesAreReadWithTheirSuffix(text: String, bytes: Int) throws {
    #expect(try Self.values(["run", "a", "--max-bytes", text]).bytes("max-bytes") == bytes)
  }
}
