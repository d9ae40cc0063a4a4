import CacheStore
import CacheTools
import Planning
import Syntax

/// `preheat code JOB --swift`, `--objc`: the app's side of a job.
struct CodeCommand: Command {
  static let spec = CommandSpec("code", "print app code for the requests that a job warms").with {
    $0.detail = [
      "Prints one function for each chain, written for the job's client, which takes the URL of a picture, and as an "
        + "example the first sources of the chain. --tests adds their keys, file names and digests for a unit test of "
        + "the app. The Objective-C form is a header.",
      "Credentials in URLs (user info, tokens, signatures) are masked with *, and the code contains a #warning about "
        + "them. For an app that loads such URLs, use --show-secrets, or better: remove credentials from the keys "
        + "with strip-query.",
    ]
    $0.positionals = [.job]
    $0.examples = [("preheat code catalog.job --swift > Warmed.swift", "for the app")]
    $0.work = [.keys, .lines, .place]
    $0.takesJobs = true
    $0.sharesWork = true
    $0.options = fields.map(\.row)
  }

  private static let fields: [FieldSetting<CodeCommand>] = [
    FieldSetting("swift", \.isSwift, .flag, in: .flag, .output, "in Swift").common,
    FieldSetting("objc", \.isObjC, .flag, in: .flag, .output, "in Objective-C").common,
    FieldSetting(
      "all", \.listsAll, .flag, in: .flag, .output, "list all sources, and with --tests all keys"
    ).common,
    FieldSetting(CommandRows.showSecrets, \.showsSecrets),
    FieldSetting("tests", \.withKeys, .flag, in: .flag, .output, "add a list of keys for a unit test").common,
  ]

  private let job: JobArguments
  private var isSwift = false
  private var isObjC = false
  private var withKeys = false
  private var listsAll = false
  /// Sources of a chain that are listed as an example.
  private static let examples = 3
  private var showsSecrets = false

  init(_ values: OptionValues) throws(UsageError) {
    job = try JobArguments(values)
    values.settings.apply(Self.fields, to: &self)
    if isSwift, isObjC { throw UsageError(.conflict, "--swift and --objc exclude each other") }
    guard isSwift || isObjC else {
      throw UsageError(
        .missingArgument, "--swift or --objc is missing",
        suggestion: "for example: preheat code catalog.job --swift")
    }
  }

  func run(in context: CommandContext) async throws -> ExitCode {
    let loading = JobLoading(arguments: job, context: context)
    guard let plans = try await loading.plans() else { return .usage }
    for plan in plans {
      guard let text = try text(of: plan, context.console) else {
        let name = plan.settings.client.name
        throw UsageError(.invalidValue, "\(name) cannot be used from Objective-C", suggestion: "--swift")
      }
      try context.output.write(text)
    }
    return .success
  }

  /// Before the first run there is none, and so no digest. One that is damaged is said.
  private func ledger(of plan: Plan, _ console: Console) throws -> LedgerRows? {
    guard withKeys else { return nil }
    do {
      return try LedgerReader(path: StateFolder(cache: plan.settings.cache).ledger).rows()
    } catch {
      if error.reason == .unreadable { throw error }
      console.warning("the list has no digests: \(error.message)")
      return nil
    }
  }

  private func text(of plan: Plan, _ console: Console) throws -> String? {
    let requests = WarmedRequests(
      plan, ledger: try ledger(of: plan, console), showsSecrets: showsSecrets,
      most: listsAll ? .max : Self.examples)
    return isSwift ? requests.swift(withKeys: withKeys) : requests.objectiveC(withKeys: withKeys)
  }
}
