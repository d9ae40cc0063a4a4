import ClientRegistry
import Fetching
import Foundation
import JobFile
import Syntax
import Testing

@testable import Pictures
@testable import PreheatCommand

@Suite(.timeLimit(.minutes(10))) struct ArgumentsTests {
  static func run(_ arguments: String, _ environment: [String: String] = [:]) throws -> RunArguments {
    try RunArguments(
      OptionValuesTests.values(["run"] + arguments.split(separator: " ").map(String.init), environment))
  }

  @Test func aBareRunHasTheDefaults() throws {
    let run = try Self.run("a.job b.job")
    #expect(run.job.jobs == ["a.job", "b.job"])
    #expect(run.job.given.flags.isEmpty)
    #expect(run.options.formats == ImageFormat.trusted)
    #expect(run.failOn == .any)
    #expect(run.options.workers == ProcessInfo.processInfo.activeProcessorCount)
    let network = run.options.http
    #expect(network.maxConcurrent == HTTPConfiguration().maxConcurrent)
    #expect(!run.options.waitsForLock && !run.options.isStrict)
    #expect(try OptionValuesTests.job([]).job.settings?.values.limits() == RenderLimits())
  }

  @Test func everyOptionOfARunArrives() throws {
    let run = try Self.run(
      """
      a.job --client=nuke --cache=out --policy=storeAll --scale=2 --encode=png --chain=circle \
      --allow-private=localhost --allow-format=avif --allow-format=tiff --max-pixels=5 --max-bytes=6K \
      --signposts=s --trace=t --show-secrets --progress=none \
      --render-timeout=7.5 --strict -w8 --retries=10 --fail-on=none --json -v --wait \
      --fetch-timeout=11
      """)
    let overrides = [
      "client": "nuke", "cache": "out", "policy": "storeAll", "scale": "2", "encode": "png",
      "default": "circle", "allow-private": "localhost", "max-pixels": "5", "max-bytes": "6K",
      "render-timeout": "7.5",
    ]
    #expect(run.job.given.flags == overrides.mapValues { [$0] })
    #expect(run.options.formats == ImageFormat.trusted.union([.avif, .tiff]))
    let network = run.options.http
    #expect(run.options.workers == 8 && network.retries == 10)
    #expect(network.totalTimeout == .seconds(11))
    #expect(run.failOn == .none)
    #expect(run.options.isStrict && run.options.waitsForLock)
    #expect(run.log == "s" && run.trace == "t" && run.showsSecrets)
    let limits = try OptionValuesTests.job(["--max-pixels=5", "--max-bytes=6K", "--render-timeout=7.5"]).job
      .settings?.values.limits()
    #expect(limits == RenderLimits(maxPixels: 5, maxBytes: 6 << 10, seconds: 7.5))
  }

  /// Words without which a command takes nothing else, and options that others need.
  static let least: [String: [String]] = [
    "run": ["a"], "plan": ["a"], "key": ["u"], "init": ["--client=kingfisher 8", "--from=k"],
    "bundle": ["a", "-o", "o", "--max-size=5", "--job=j", "--sign=k", "--counter=1"],
    "inspect": ["a", "--now=0", "--client=nuke 99"],
    "verify": ["a", "--now=0", "--repair", "--client=nuke 99"],
    "sweep": ["a", "--now=0", "--client=nuke 99"],
    "merge": ["a", "-o", "o", "--client=nuke 99"], "diff": ["a", "b"], "code": ["a", "--swift"],
    "timings": ["a"],
    "report": ["a"], "replay": ["a", "--in=c", "--now=0"],
    "doctor": [], "help": [],
  ]

  /// What an option of this form may say, other than its default.
  static func value(of option: Setting) -> String? {
    switch option.name {
    case "client": return ClientRegistry.example
    case "now": return "7"
    case "after": return "7d"
    case "trusted-root": return "/"
    case "env": return "TOKEN"
    case "proxy": return "http://p"
    case "shard": return "3/7"
    case "cacert": return "/dev/null"
    default: break
    }
    return switch option.form {
    case .flag: nil
    case .choices(let words): words.first { $0 != option.defaultText }
    case .range: "7"
    case .text, .file, .folder: "7"
    }
  }

  /// Guards against a row that is added to the table and read by nobody.
  @Test(arguments: PreheatCommand.commands.map { $0.spec.name })
  func everyRowOfTheTableChangesTheArguments(name: String) throws {
    let type = try #require(PreheatCommand.commands.first { $0.spec.name == name })
    let table = OptionTable.preheat
    let command = try #require(table.command(named: name))
    let least = try #require(Self.least[name])
    func parsed(_ more: [String]) throws -> String {
      // A run holds its moment.
      let values = try OptionValuesTests.values(
        [name] + least + more, ["SOURCE_DATE_EPOCH": "1800000000"], table: table)
      var text = ""
      dump(try type.init(values), to: &text)
      // The console's, not the command's.
      dump(try values.verbosity(), to: &text)
      dump((values[CommandKey.json], values[CommandKey.progress]), to: &text)
      // The present, where nobody says another moment.
      return command.option(named: "now") != nil
        ? text : text.split(separator: "\n").filter { !$0.contains(/now:|timeIntervalSince/) }.joined()
    }
    let plain = try parsed([])
    #expect(try parsed([]) == plain, "nothing changes by itself")
    for option in command.options where !["help", "version"].contains(option.name) {
      // There already.
      if least.contains(where: { $0.hasPrefix("--\(option.flag)") && option.isFlag }) { continue }
      // Of a stream only; `StreamTests` has it.
      if option.name == "settings" { continue }
      // In place of --swift, which is there; `PlanCommandTests` has it.
      if option.name == "objc" { continue }
      let argument = Self.value(of: option).map { "--\(option.flag)=\($0)" } ?? "--\(option.flag)"
      #expect(try parsed([argument]) != plain, "\(name) \(argument)")
    }
  }

  @Test func variablesOfJobSettingsAreLeftToTheJobsParser() throws {
    let environment = [
      "PREHEAT_CLIENT": "nuke 11", "PREHEAT_CHAIN": "circle", "PREHEAT_ALLOW_PRIVATE": "h",
    ]
    #expect(try Self.run("a", environment).job.given.flags.isEmpty)
    let job = try OptionValuesTests.job([], environment).job
    #expect(job.chains.rows.map(\.label) == ["circle"] && job.settings?.values[JobKey.allowPrivate] == ["h"])
  }

  @Test func standardInputIsReadOnce() throws {
    #expect(try Self.run("- a").job.jobs == ["-", "a"])
    let error = #expect(throws: UsageError.self) { try Self.run("- a -") }
    #expect(error?.code == .conflict)
  }

  @Test func quietAndVerboseExcludeEachOtherUnlessOneIsOnlyInTheEnvironment() throws {
    func verbosity(_ arguments: String..., environment: [String: String] = [:]) throws -> Verbosity {
      try OptionValuesTests.values(["run", "a"] + arguments, environment).verbosity()
    }
    #expect(throws: UsageError.self) { try verbosity("-qv") }
    #expect(throws: UsageError.self) {
      try verbosity(environment: ["PREHEAT_QUIET": "1", "PREHEAT_VERBOSE": "1"])
    }
    #expect(try verbosity() == .normal)
    #expect(try verbosity("-v", environment: ["PREHEAT_QUIET": "1"]) == .verbose)
    #expect(try verbosity("-q", environment: ["PREHEAT_VERBOSE": "1"]) == .quiet)
    #expect(try verbosity("--no-quiet", environment: ["PREHEAT_QUIET": "1"]) == .normal)
  }
}
