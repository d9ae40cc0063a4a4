import JobRunner

/// Reads the jobs of a command line and shows what was found in them.
struct JobLoading {
  var arguments: JobArguments
  var context: CommandContext
  var json: Bool

  /// All plans, or nil when any job has an error: then nothing may be started.
  func plans() throws -> [Plan]? {
    var plans: [Plan] = []
    var isUsable = true
    for path in arguments.jobs {
      let input: JobInput = path == "-" ? .standardInput(try StandardStreams.readAll()) : .file(path)
      let (plan, diagnostics) = Plan.make(
        input, overrides: arguments.overrides, environment: context.environment)
      try show(diagnostics)
      if let plan { plans.append(plan) } else { isUsable = false }
    }
    let collisions = Plan.collisions(among: plans)
    try show(collisions)
    return isUsable && !collisions.hasErrors ? plans : nil
  }

  func show(_ diagnostics: Diagnostics) throws {
    for diagnostic in diagnostics {
      if json { try context.output.write(diagnostic.json.line) }
      let level: Verbosity = diagnostic.severity == .error ? .quiet : .normal
      context.console.print(diagnostic.rendered(color: context.console.style.hasColour) + "\n", from: level)
    }
    if let rest = diagnostics.omission { context.console.print("preheat: \(rest)\n", from: .quiet) }
  }
}
