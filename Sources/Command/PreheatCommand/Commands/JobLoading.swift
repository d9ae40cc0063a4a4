import JobFile
import Planning
import Signposts
import Syntax
import Text

/// Plans the jobs of a command line and shows what was found in them.
struct JobLoading {
  var arguments: JobArguments
  var context: CommandContext
  var signposts = Signposter.disabled
  /// Gets everything that was found.
  var found: (Diagnostics) -> Void = { _ in }

  /// Whether lines that are left out are listed here; a run lists them among its failures.
  var listsSkipped = true
  /// Whether they are results, so that programs get them too.
  var writesSkipped = false

  /// All plans, or nil when any job has an error: then nothing may be started.
  func plans() async throws -> [Plan]? {
    let given = try arguments.sharded()
    return try await plans(of: arguments.jobs.lazy.map { JobReader(JobInput(path: $0), given) })
  }

  /// The same of jobs whose heads have been read.
  ///
  /// - Parameter fetching: gets catalogues from servers for jobs that stop for them.
  func plans(
    of jobs: some Sequence<JobReader>, _ fetching: CatalogueFetching? = nil
  ) async throws -> [Plan]? {
    var plans: [Plan] = []
    var isUsable = true
    var empty: EmptyJob?
    for job in jobs {
      var planning = JobPlanning(job)
      func read() -> JobReader.Stop { signposts.withInterval(.parseJob) { planning.read() } }
      while case .catalogue(let url) = read() {
        if let settings = job.head.settings { try await fetching?.fetch(url, for: settings) }
      }
      let (plan, diagnostics) = signposts.withInterval(.makePlan) { planning.finish() }
      found(diagnostics)
      try Self.show(diagnostics, in: context)
      guard let plan else {
        isUsable = false
        continue
      }
      if job.isEmpty { empty = empty ?? EmptyJob(plan.settings) }
      plans.append(plan)
      try show(skippedIn: plan)
    }
    let collisions = Plan.collisions(among: plans)
    found(collisions)
    try Self.show(collisions, in: context)
    if isUsable, let empty { throw empty }
    return isUsable && !collisions.hasErrors ? plans : nil
  }

  private func show(skippedIn plan: Plan) throws {
    guard !plan.skipped.isEmpty else { return }
    if listsSkipped {
      var lines = Diagnostics()
      for var line in plan.skipped.lines.map(\.diagnostic) {
        line.severity = .warning
        lines.add(line)
      }
      context.console.print(lines.rendered(color: context.console.hasColour) + "\n", from: .normal)
    }
    let (count, path) = (plan.skipped.count, plan.settings.path)
    context.console.warning(
      "\(NumberText.count(count, "line")) of \(path) \(count == 1 ? "is" : "are") left out")
    guard context.json, writesSkipped else { return }
    for line in plan.skipped.lines {
      try context.output.write(SkippedRecord(job: plan.settings.path, line: line).jsonLine)
    }
  }

  /// Findings for people on standard error; with `--json` for programs on standard output too.
  static func show(_ diagnostics: Diagnostics, in context: CommandContext) throws {
    guard !diagnostics.isEmpty else { return }
    if context.json {
      for diagnostic in diagnostics.sorted { try context.output.write(diagnostic.jsonLine) }
    }
    let text = diagnostics.rendered(color: context.console.hasColour)
    context.console.print(text + "\n", from: diagnostics.hasErrors ? .quiet : .normal)
  }
}

/// A job whose lines and includes name no source.
struct EmptyJob: CommandFailure {
  let exitCode: ExitCode
  let message: String
  private let advice: String

  init(_ settings: JobSettings) {
    exitCode = settings.asksForPruning ? .limit : .usage
    message = "\(settings.path) names no source" + (settings.asksForPruning ? "; nothing is pruned" : "")
    advice =
      "add a line with a URL, a path, or: include urls.txt; where an empty job is right: allow-empty on"
  }

  var object: ErrorObject {
    ErrorObject(
      text: "\(message); \(advice) (job.empty)", message: message, code: "job.empty", advice: advice)
  }
}
