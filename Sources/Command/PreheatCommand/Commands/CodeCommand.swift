import CacheTools

/// `preheat code JOB --swift`: the app's side of a job.
struct CodeCommand: Command {
  package static let name = "code"
  private let arguments: PlanArguments
  private let withKeys: Bool

  init(_ values: OptionValues) throws(UsageError) {
    arguments = try PlanArguments(values)
    withKeys = values.flag("tests")
    // One language today; the flag keeps the word free for others.
    guard values.flag("swift") else {
      throw UsageError(
        .missingArgument, "--swift is missing", suggestion: "for example: preheat code catalog.job --swift",
        command: values.command.name)
    }
  }

  package func run(in context: CommandContext) async throws -> ExitCode {
    let loading = JobLoading(arguments: arguments.job, context: context, json: false)
    guard let plans = try loading.plans() else { return .usage }
    for plan in plans { try context.output.write(SwiftCode(plan).text(withKeys: withKeys)) }
    return .success
  }
}
