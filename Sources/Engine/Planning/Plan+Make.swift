import ClientKit
import JobFile
import Signposts
import Syntax

extension Plan {
  /// Reads a job and plans it.
  ///
  /// - Returns: The plan, nil when there are errors, and all findings in the order of the text.
  package static func make(
    _ input: JobInput, _ given: GivenSettings = GivenSettings(), lines: StreamedLines? = nil,
    signposts: Signposter = .disabled
  ) -> (plan: Plan?, diagnostics: Diagnostics) {
    let parsing = signposts.beginInterval(.parseJob)
    var file = JobFile(reading: input, given, lines: lines)
    guard let settings = file.settings, let client = settings.makeClient() else {
      file.forEachLine { _, _ in }
      signposts.endInterval(parsing)
      return (nil, file.diagnostics)
    }
    var planner = Planner(settings: settings, client: client)
    file.forEachLine { line, chains in planner.add(line, chains: chains) }
    signposts.endInterval(parsing)
    var diagnostics = file.diagnostics
    for finding in planner.findings { diagnostics.add(finding) }
    if let warning = planner.warning { diagnostics.add(warning) }
    guard !diagnostics.hasErrors else { return (nil, diagnostics) }
    var plan = signposts.withInterval(.makePlan) { planner.plan(chains: file.chains) }
    plan.settingLines = file.settingLines
    plan.skipped = file.skipped
    plan.skipped.add(contentsOf: planner.skipped)
    return (plan, diagnostics)
  }
}
