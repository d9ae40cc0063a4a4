import JobFile
import Planning
import Syntax
import Text

/// Lines that a job leaves out (`skip-invalid`), for people.
struct SkippedText {
  /// As many as there are of errors.
  static let most = Diagnostics.limit

  let plan: Plan

  /// `12 lines of catalog.job are left out`.
  var summary: String {
    let count = plan.skipped.count
    return "\(NumberText.count(count, "line")) of \(plan.settings.path) \(count == 1 ? "is" : "are") left out"
  }

  /// Each with its place, its text, and what is wrong.
  func list(color: Bool) -> String {
    var text = plan.skipped.lines.prefix(Self.most).map { line in
      var finding = line.diagnostic
      finding.severity = .warning
      return finding.rendered(color: color) + "\n"
    }.joined()
    let rest = plan.skipped.count - min(plan.skipped.count, Self.most)
    if rest > 0 { text += "and \(NumberText.count(rest, "more line", "more lines"))\n" }
    return text
  }
}
