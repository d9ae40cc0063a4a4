extension Plan {
  /// Reads a job and plans it.
  ///
  /// - Returns: The plan, nil when there are errors, and all findings in the order of the text.
  public static func make(
    _ input: JobInput, overrides: JobOverrides = JobOverrides(), environment: [String: String] = [:]
  ) -> (plan: Plan?, diagnostics: Diagnostics) {
    var file = JobFile(reading: input, overrides: overrides, environment: environment)
    guard let settings = file.settings else {
      file.forEachEntry { _, _ in }
      return (nil, file.diagnostics)
    }
    var planner = Planner(settings: settings)
    file.forEachEntry { entry, chains in planner.add(entry, chains: chains) }
    var diagnostics = file.diagnostics
    for finding in planner.findings { diagnostics.add(finding) }
    return (diagnostics.hasErrors ? nil : planner.plan(chains: file.chains), diagnostics)
  }
}
