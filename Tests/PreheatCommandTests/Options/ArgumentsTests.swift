import Testing

@testable import Pictures
@testable import Planning
@testable import PreheatCommand

@Suite(.timeLimit(.minutes(10))) struct ArgumentsTests {
  static func run(_ arguments: String, _ environment: [String: String] = [:]) throws -> RunArguments {
    try RunArguments(
      OptionValuesTests.values(["run"] + arguments.split(separator: " ").map(String.init), environment))
  }

  @Test func aBareRunHasTheDefaults() throws {
    let run = try Self.run("a.job b.job")
    #expect(run.job.jobs == ["a.job", "b.job"])
    #expect(run.job.overrides == JobOverrides())
    #expect(run.limits == RenderLimits())
    #expect(run.formats == ImageFormat.trusted)
    #expect(run.failOn == .any)
    #expect(run.workers == nil && run.network.connections == nil && run.network.retries == nil)
    #expect(!run.waitsForLock && !run.isStrict && !run.common.json)
    #expect(run.common.verbosity == .normal)
  }

  @Test func everyOptionOfARunArrives() throws {
    let run = try Self.run(
      """
      a.job --client=nuke --cache=out --policy=storeAll --scale=2 --encode=png --chain=circle \
      --allow-private=localhost --allow-format=avif --allow-format=tiff --max-pixels=5 --max-bytes=6K \
      --signposts=s --trace=t --show-private --progress=none --log-format=journald \
      --timeout=7.5 --strict -j8 --connections=9 --retries=10 --fail-on=none --json -v --wait
      """)
    var overrides = JobOverrides()
    overrides.client = "nuke"
    overrides.cache = "out"
    overrides.policy = "storeAll"
    overrides.scale = "2"
    overrides.encode = "png"
    overrides.chains = ["circle"]
    overrides.allowPrivate = ["localhost"]
    overrides.limits = [.pixels: "5", .bytes: "6K", .seconds: "7.5"]
    #expect(run.job.overrides == overrides)
    #expect(run.formats == ImageFormat.trusted.union([.avif, .tiff]))
    #expect(run.limits == RenderLimits(maxPixels: 5, maxBytes: 6 << 10, seconds: 7.5))
    #expect(run.workers == 8 && run.network.connections == 9 && run.network.retries == 10)
    #expect(run.failOn == .none)
    #expect(run.isStrict && run.waitsForLock && run.common.json)
    #expect(run.common.verbosity == .verbose)
    #expect(run.common.progress == .none && run.common.logFormat == .journald)
    #expect(run.recording.log == "s" && run.recording.trace == "t" && run.recording.showsPrivate)
  }

  /// Guards against a row that is added to the table and read by nobody.
  @Test func everyRowOfTheTableChangesTheArguments() throws {
    func differs(_ name: String, _ arguments: [String]) throws -> Bool {
      let words = name == "key" ? ["key", "u"] : [name, "a"]
      func parsed(_ more: [String]) throws -> AnyHashable {
        let values = try OptionValuesTests.values(words + more)
        return switch name {
        case "run": AnyHashable(try RunArguments(values))
        case "timings": AnyHashable(try TimingsArguments(values))
        case "plan": AnyHashable(try PlanArguments(values))
        default: AnyHashable(try KeyArguments(values))
        }
      }
      return try parsed([]) != parsed(arguments)
    }
    for name in ["run", "plan", "key", "timings"] {
      let command = try #require(OptionTable.preheat.command(named: name))
      for option in command.options where !["help", "version"].contains(option.name) {
        let value: String? =
          switch option.value?.kind {
          case nil: nil
          case .choices(let words): words.first { $0 != option.defaultText }
          case .integer, .bytes, .seconds: "7"
          case .text, .folder: "x"
          }
        let argument = value.map { "--\(option.name)=\($0)" } ?? "--\(option.name)"
        #expect(try differs(name, [argument]), "\(name) \(argument)")
      }
    }
  }

  @Test func variablesOfJobSettingsAreLeftToTheJobsParser() throws {
    let run = try Self.run(
      "a", ["PREHEAT_CLIENT": "nuke 12", "PREHEAT_CHAIN": "circle", "PREHEAT_ALLOW_PRIVATE": "h"])
    #expect(run.job.overrides.client == nil)
    #expect(run.job.overrides.chains == ["circle"])
    #expect(run.job.overrides.allowPrivate == ["h"])
    let key = try KeyArguments(OptionValuesTests.values(["key", "u"], ["PREHEAT_CLIENT": "nuke 12"]))
    #expect(key.overrides.client == "nuke 12")
  }

  @Test func aKeyIsAskedForWithItsChain() throws {
    let key = try KeyArguments(
      OptionValuesTests.values(
        ["key", "https://e.com/1", "circle", "--in", "out", "--id", "i", "--scale", "3"]))
    #expect(key.url == "https://e.com/1" && key.chain == "circle")
    #expect(
      key.folder == "out" && key.imageID == "i" && key.overrides.scale == "3" && key.overrides.client == nil)
  }

  @Test func standardInputIsReadOnce() throws {
    #expect(try Self.run("- a").job.jobs == ["-", "a"])
    let error = #expect(throws: UsageError.self) { try Self.run("- a -") }
    #expect(error?.code == .conflict)
  }

  @Test func quietAndVerboseExcludeEachOtherUnlessOneIsOnlyInTheEnvironment() throws {
    #expect(throws: UsageError.self) { try Self.run("a -qv") }
    #expect(throws: UsageError.self) { try Self.run("a", ["PREHEAT_QUIET": "1", "PREHEAT_VERBOSE": "1"]) }
    #expect(try Self.run("a -v", ["PREHEAT_QUIET": "1"]).common.verbosity == .verbose)
    #expect(try Self.run("a -q", ["PREHEAT_VERBOSE": "1"]).common.verbosity == .quiet)
    #expect(try Self.run("a --no-quiet", ["PREHEAT_QUIET": "1"]).common.verbosity == .normal)
  }
}
