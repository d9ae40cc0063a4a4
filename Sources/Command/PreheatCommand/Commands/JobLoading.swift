import JobFile
import Planning
import Signposts
import Syntax

/// Reads the jobs of a command line and shows what was found in them.
struct JobLoading {
  var arguments: JobArguments
  var context: CommandContext
  var signposts = Signposter.disabled
  /// Told of everything that was found.
  var found: (Diagnostics) -> Void = { _ in }

  /// Whether lines that are left out are listed here; a run tells them among its failures.
  var listsSkipped = true
  /// Whether they are results, so that programs get them too.
  var writesSkipped = false
  /// The jobs, where somebody has read them already.
  var inputs: [JobInput]?

  func readInputs() throws -> [JobInput] {
    try arguments.jobs.map { $0 == "-" ? .standardInput(try StandardStreams.readAll()) : .file($0) }
  }

  /// All plans, or nil when any job has an error: then nothing may be started.
  func plans() throws -> [Plan]? {
    var plans: [Plan] = []
    var isUsable = true
    let given = try arguments.sharded()
    for input in try inputs ?? readInputs() {
      let (plan, diagnostics) = Plan.make(input, given, signposts: signposts)
      found(diagnostics)
      try Self.show(diagnostics, in: context)
      guard let plan else {
        isUsable = false
        continue
      }
      plans.append(plan)
      tellRelease(of: plan)
      try show(skippedIn: plan)
    }
    let collisions = Plan.collisions(among: plans)
    found(collisions)
    try Self.show(collisions, in: context)
    return isUsable && !collisions.hasErrors ? plans : nil
  }

  /// A release that the job does not say itself.
  func tellRelease(of plan: Plan) {
    let settings = plan.settings
    if let note = settings.origin.note(settings.client) { context.console.note("\(settings.path): \(note)") }
  }

  private func show(skippedIn plan: Plan) throws {
    guard !plan.skipped.isEmpty else { return }
    let text = SkippedText(plan: plan)
    if listsSkipped {
      context.console.print(text.list(color: context.console.style.hasColour), from: .normal)
    }
    context.console.warning(text.summary)
    guard context.json, writesSkipped else { return }
    for line in plan.skipped.lines { try context.output.write(line.json(of: plan.settings.path).line) }
  }

  /// Findings for people on standard error; with `--json` for programs on standard output too.
  static func show(_ diagnostics: Diagnostics, in context: CommandContext) throws {
    guard !diagnostics.isEmpty else { return }
    // Only errors: beside warnings there are results, and a program reads results alone there.
    if context.json, diagnostics.hasErrors {
      for diagnostic in diagnostics.sorted { try context.output.write(diagnostic.json.line) }
    }
    let text = diagnostics.rendered(color: context.console.style.hasColour)
    context.console.print(text + "\n", from: diagnostics.hasErrors ? .quiet : .normal)
  }
}
