import CacheTools
import JobFile
import Planning
import Settings
import Syntax
import Text

/// The question of `preheat key`: one request by itself, or as in a job.
struct KeyQuestion: Sendable {
  /// The source as a job names it; with a job also a line's number or its text.
  var source: String
  /// Nil for the original data, or with a job for what its lines with this source say.
  var chain: String?
  /// The request's image ID or cache key, where the app sets one.
  var id: String?
  /// The job whose settings and chains hold.
  var job: String?
  var given: GivenSettings

  /// The plan of the renditions that are asked for, nil where something is wrong; and what there is to say.
  func plan() -> (plan: Plan?, diagnostics: Diagnostics) {
    // The line that is asked for must not be left out.
    var strict = given
    strict[JobKey.skipInvalid.name] = "off"
    guard let job else {
      let line = KeyLine(source: source, chain: chain ?? "original", id: id)
      let (plan, findings) = Plan.make(
        .text(name: Self.name, bytes: Array("\(line.text)\n".utf8)), strict)
      return (
        plan, Self.told(findings) { $0.file == Self.name && $0.line == 1 ? line.atItsArgument($0) : $0 }
      )
    }
    if let number = Int(source), chain == nil {
      let (plan, findings) = Plan.make(.file(job), given)
      guard let plan = plan?.limited(toLine: number) else { return (nil, findings) }
      if let wrong = plan.skipped.lines.first(where: {
        $0.diagnostic.line == number && $0.diagnostic.file == job
      }) {
        return (nil, Self.told(wrong.diagnostic))
      }
      guard plan.renditionCount > 0 else { return (nil, Self.nothing(in: job, line: number)) }
      return (plan, Diagnostics())
    }
    // The job's own reading reports a file that cannot be read.
    let isWhole = chain == nil && source.contains { $0 == " " || $0 == "\t" }
    let line = isWhole ? KeyLine(whole: source, id: id) : KeyLine(source: source, chain: chain ?? "", id: id)
    guard
      let (input, number) = try? JobInput.file(job).asking(
        line.text, table: given.table, within: given.trust.roots)
    else { return Plan.make(.file(job), given) }
    // Of the job's other lines nothing is left.
    let (plan, findings) = Plan.make(input, strict)
    // Only this line counts: chains that it does not use are not reported.
    let told = Self.told(findings) { finding in
      if finding.file == job, finding.line == number { return line.atItsArgument(finding) }
      return finding.severity == .error || finding.line == number ? finding : nil
    }
    guard let plan, chain == nil, !isWhole, id == nil, let url = plan.sources.first?.url else {
      return (plan, told)
    }
    let (whole, faults) = Plan.make(.file(job), given)
    guard let whole else { return (nil, faults) }
    let own = whole.limited(toSource: url)
    return (own.renditionCount > 0 ? own : plan, own.renditionCount > 0 ? Diagnostics() : told)
  }

  /// The name of the job that is made from the arguments.
  private static let name = "(arguments)"

  /// The findings that are told, as they are told.
  private static func told(
    _ findings: Diagnostics, _ change: (Diagnostic) -> Diagnostic?
  ) -> Diagnostics {
    var told = Diagnostics()
    for finding in findings.sorted.compactMap(change) { told.add(finding) }
    return told
  }

  private static func nothing(in job: String, line: Int) -> Diagnostics {
    told(
      Diagnostic(
        .error, file: job, line: line, column: 1, message: "this line names no source",
        help: "write a line that begins with a URL or a path"))
  }

  private static func told(_ finding: Diagnostic) -> Diagnostics {
    var findings = Diagnostics()
    findings.add(finding)
    return findings
  }
}
