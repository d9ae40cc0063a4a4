import Planning
import Text

/// Workflow commands that put errors and warnings on the lines of a job file in GitHub's pages.
///
/// GitHub shows ten errors and ten warnings of a step ("Usage limits" of its documentation of workflow
/// commands); the tenth says how many there are besides.
package struct WorkflowAnnotations {
  package static let most = 10
  /// Lines of one cause that are named.
  static let mostExamples = 3
  private let record: RunRecord
  /// Turns the path of a job into one that the repository knows.
  private let path: (String) -> String

  package init(_ record: RunRecord, path: @escaping (String) -> String = { $0 }) {
    self.record = record
    self.path = path
  }

  /// Complete lines.
  package var text: String {
    let stopped = record.summary.stopped.map { Annotation(title: "The run was stopped", message: $0) }
    let errors = [stopped].compactMap { $0 } + record.findings.filter(\.isError).map(annotation) + failures()
    let warnings = record.findings.filter { !$0.isError }.map(annotation)
    return lines("error", errors) + lines("warning", warnings)
  }

  private struct Annotation {
    package var file: String?
    package var line = 1
    package var column: Int?
    package var title: String
    package var message: String
  }

  private func annotation(_ finding: FindingRecord) -> Annotation {
    Annotation(
      file: finding.file, line: finding.line, column: finding.column,
      title: finding.isError ? "Error in the job" : "Warning about the job",
      message: finding.message + (finding.help.map { "\n\($0)" } ?? ""))
  }

  /// One annotation for each cause, at its first line.
  private func failures() -> [Annotation] {
    FailureGroup.groups(of: record.failures).compactMap { group in
      let lines = group.lines
      guard let first = lines.first?.first else { return nil }
      let examples = lines.prefix(Self.mostExamples).map { line in
        ReportText.shortened(line.first.source) + (line.chainList.map { ": \($0)" } ?? "")
      }
      let rest = lines.count - examples.count
      let message = group.saysAll ? group.title : first.failure?.message ?? group.title
      return Annotation(
        file: first.file, line: first.line, title: group.code,
        message: ([
          SafeText.escape(message, limit: 1000), group.advice ?? first.failure?.advice,
        ] + examples + [rest > 0 ? "and \(NumberText.count(rest, "more line", "more lines"))" : nil])
        .compactMap { $0 }.joined(separator: "\n"))
    }
  }

  private func lines(_ level: String, _ annotations: [Annotation]) -> String {
    var shown = annotations
    if annotations.count > Self.most {
      shown = Array(annotations.prefix(Self.most - 1))
      let rest = annotations.count - shown.count
      shown.append(
        Annotation(
          title: "And \(rest) more",
          message: "\(NumberText.count(rest, "more " + level)): see the summary of the job, or its log"))
    }
    return shown.map { line(level, $0) }.joined()
  }

  private func line(_ level: String, _ annotation: Annotation) -> String {
    var properties: [String] = []
    // Standard input has no line that could be shown.
    if let file = annotation.file, file != "-" {
      properties.append("file=\(Self.property(path(file)))")
      properties.append("line=\(annotation.line)")
      if let column = annotation.column { properties.append("col=\(column)") }
    }
    properties.append("title=\(Self.property(annotation.title))")
    return "::\(level) \(properties.joined(separator: ","))::\(Self.data(annotation.message))\n"
  }

  /// Lines are kept apart by `%0A`; all else that a terminal would act on is shown as escapes.
  package static func data(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { SafeText.escape(String($0)).replacing("%", with: "%25") }
      .joined(separator: "%0A")
  }

  static func property(_ text: String) -> String {
    SafeText.escape(text).replacing("%", with: "%25").replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}
