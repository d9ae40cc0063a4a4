import Planning
import Reporting
import Text

/// The failures of a run as text: a few lines for each cause, however many renditions it has.
struct FailureText {
  /// Causes that are told.
  static let mostGroups = 20
  /// Job lines of a cause that are told, and how many are told where these are all.
  static let examples = 3
  static let mostExamples = 5

  let record: RunRecord
  /// A file that lists all of them.
  var place: String?
  /// Jobs of what failed.
  var jobs: [String] = []

  var text: String {
    let failed = record.summary.counts.failed
    let groups = FailureGroup.groups(of: record.failures)
    guard !groups.isEmpty else { return "" }
    let shown = groups.prefix(Self.mostGroups)
    var text = "failed:\n" + shown.map(self.text).joined()
    let rest = failed - shown.reduce(0) { $0 + $1.renditions.count }
    if rest > 0 {
      let causes = groups.count - shown.count
      text += "  and \(NumberText.grouped(rest)) more"
      text += causes > 0 ? " for \(NumberText.count(causes, "other cause"))\n" : "\n"
    }
    return text
      + whereabouts(isAllShown: rest == 0 && shown.allSatisfy { Self.shownLines(of: $0) == $0.lines.count })
  }

  private func whereabouts(isAllShown: Bool) -> String {
    if !jobs.isEmpty {
      return "  as a job to run again: \(jobs.map { SafeText.escape($0) }.joined(separator: ", "))\n"
    }
    guard !isAllShown, let place else { return "" }
    let listed = record.failures.count
    let what = listed < record.summary.counts.failed ? "\(NumberText.grouped(listed)) of all" : "all"
    return "  \(what) are listed in \(SafeText.escape(place)); --failures FILE writes them as a job\n"
  }

  private static func shownLines(of group: FailureGroup) -> Int {
    group.lines.count <= mostExamples ? group.lines.count : examples
  }

  private func text(_ group: FailureGroup) -> String {
    var text = "  \(NumberText.grouped(group.renditions.count)) × "
    text += "\(group.step.rawValue): \(SafeText.escape(group.title, limit: 1000)) (\(group.code))"
    text += group.isRetryable ? ", may pass when tried again\n" : "\n"
    if let advice = group.advice { text += "    \(SafeText.escape(advice))\n" }
    let lines = group.lines
    let shown = lines.prefix(Self.shownLines(of: group))
    for line in shown {
      text += "    \(SafeText.escape(line.first.file)):\(line.first.line)  "
      text += RenditionText.title(line) + "\n"
      if !group.saysAll, let failure = line.first.failure {
        text += "      \(SafeText.escape(failure.message, limit: 300))\n"
      }
      if group.advice == nil, let advice = line.first.failure?.advice {
        text += "      \(SafeText.escape(advice, limit: 300))\n"
      }
    }
    let rest = lines.count - shown.count
    return text + (rest > 0 ? "    and \(NumberText.count(rest, "more line", "more lines"))\n" : "")
  }
}
