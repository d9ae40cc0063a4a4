import JobFile
import Syntax

/// Plans a job while it is read.
package struct JobPlanning {
  private let job: JobReader
  /// Nil where the job cannot be run: it is only read for its mistakes.
  private var planner: Planner?

  package init(_ job: JobReader) {
    self.job = job
    planner = job.head.settings.flatMap(Planner.init)
  }

  /// Reads on, see ``JobReader/read(_:)``.
  package mutating func read() -> JobReader.Stop {
    job.read { line, chains in planner?.add(line, chains: chains) }
  }

  /// - Returns: The plan, nil when there are errors, and all findings in the order of the text.
  package mutating func finish() -> (plan: Plan?, diagnostics: Diagnostics) {
    Self.finish(planner.take(), job.head, job.diagnostics, job.chains, job.skipped)
  }

  /// The plan of a line in place of the job's own, which stay to be read.
  package static func plan(
    of line: String, file: String, in job: JobReader
  ) -> (plan: Plan?, diagnostics: Diagnostics) {
    var settings = job.head.settings
    settings?.values[JobKey.skipInvalid] = false
    var planner = settings.flatMap(Planner.init)
    let read = job.read(inPlace: line, file: file) { line, chains in planner?.add(line, chains: chains) }
    return finish(planner.take(), job.head, read.diagnostics, read.chains, SkippedLines())
  }

  private static func finish(
    _ planner: consuming Planner?, _ head: JobHead, _ found: Diagnostics, _ chains: ChainTable,
    _ skipped: SkippedLines
  ) -> (plan: Plan?, diagnostics: Diagnostics) {
    var diagnostics = found
    guard var planner else { return (nil, diagnostics) }
    for finding in planner.findings { diagnostics.add(finding) }
    guard !diagnostics.hasErrors else { return (nil, diagnostics) }
    planner.finish(chains)
    var plan = planner.plan
    plan.settingLines = head.settingLines
    plan.skipped = skipped
    plan.skipped.add(contentsOf: planner.plan.skipped)
    return (plan, diagnostics)
  }
}

extension Plan {
  /// Reads a job to its end and plans it. Of catalogues on servers it reads the copies.
  package static func make(
    _ input: JobInput, _ given: GivenSettings = GivenSettings()
  ) -> (plan: Plan?, diagnostics: Diagnostics) {
    var planning = JobPlanning(JobReader(input, given))
    _ = planning.read()
    return planning.finish()
  }
}
