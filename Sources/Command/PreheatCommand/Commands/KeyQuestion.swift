import CacheTools
import JobFile
import Planning
import Settings
import Syntax
import Text

/// What `preheat key` is asked for: one request by itself, or as a job has it.
struct KeyQuestion: Sendable {
  /// The source as a job names it; with a job also a line's number or its text.
  var source: String
  /// Nil for the original data, or with a job for what its lines with this source say.
  var chain: String?
  /// The request's image ID or cache key, where the app sets one.
  var id: String?
  /// The job whose settings and chains hold.
  var job: String?
  var overrides: JobOverrides
  var table: SettingTable
  var trust = JobTrust()

  /// The plan of the renditions that are asked for, nil where something is wrong; and what there is to say.
  func plan(environment: [String: String]) -> (plan: Plan?, diagnostics: Diagnostics) {
    guard let job else {
      var overrides = overrides
      overrides[JobKey.skipInvalid.name] = "off"
      return Plan.make(
        .text(name: "(arguments)", bytes: Array("\(line(chain ?? "original"))\n".utf8)), overrides: overrides,
        environment: environment, table: table, trust: trust)
    }
    let make = { (input: JobInput) in
      Plan.make(input, overrides: overrides, environment: environment, table: table, trust: trust)
    }
    if let number = Int(source), chain == nil {
      let (plan, findings) = make(.file(job))
      guard let plan = plan?.limited(toLine: number) else { return (nil, findings) }
      if let wrong = plan.skipped.lines.first(where: {
        $0.diagnostic.line == number && $0.diagnostic.file == job
      }) {
        return (nil, Self.told(wrong.diagnostic))
      }
      guard plan.renditionCount > 0 else { return (nil, Self.nothing(in: job, line: number)) }
      return (plan, Diagnostics())
    }
    // What cannot be read is reported by the job's own reading.
    let isWhole = chain == nil && source.contains { $0 == " " || $0 == "\t" }
    let text = isWhole ? source + idOption : line(chain ?? "")
    guard let (input, number) = try? JobInput.file(job).asking(text, table: table, within: trust.roots) else {
      return make(.file(job))
    }
    // Of the job's other lines nothing is left; this one is asked for, and must not be left out.
    var strict = overrides
    strict[JobKey.skipInvalid.name] = "off"
    let (plan, findings) = Plan.make(
      input, overrides: strict, environment: environment, table: table, trust: trust)
    // Only this line counts: chains that it does not use are no news.
    var told = Diagnostics()
    for finding in findings.sorted where finding.severity == .error || finding.line == number {
      told.add(finding)
    }
    guard let plan, chain == nil, !isWhole, id == nil, let url = plan.sources.first?.url else {
      return (plan, told)
    }
    let (whole, faults) = make(.file(job))
    guard let whole else { return (nil, faults) }
    let own = whole.limited(toSource: url)
    return (own.renditionCount > 0 ? own : plan, own.renditionCount > 0 ? Diagnostics() : told)
  }

  private static func nothing(in job: String, line: Int) -> Diagnostics {
    told(
      Diagnostic(
        .error, file: job, line: line, column: 1, message: "this line names no source",
        help: "a line with a URL or a path, or an equal one before it"))
  }

  private static func told(_ finding: Diagnostic) -> Diagnostics {
    var findings = Diagnostics()
    findings.add(finding)
    return findings
  }

  /// The line of a job, quoted so that nothing in the source is taken for anything else.
  private func line(_ chain: String) -> String { "\(Self.quoted(source)) \(chain)\(idOption)" }

  private var idOption: String { id.map { " id=\(Self.quoted($0))" } ?? "" }

  private static func quoted(_ text: String) -> String {
    "\"" + text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined() + "\""
  }
}
