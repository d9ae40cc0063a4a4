import JobFile
import Text

extension RenditionRecord {
  /// A line of a job that was left out: one failed rendition, of which only the line's own text is known.
  package init(_ skipped: SkippedLine, of settings: JobSettings) {
    let finding = skipped.diagnostic
    self.init(
      job: settings.path, file: finding.file, line: finding.line,
      source: Self.shortened(URLRedaction.redacted(finding.sourceLine)), chain: "", status: .failed, key: "",
      cache: settings.cache)
    failure = RunFailure(skipped).redacted
  }

  /// Whether it stands for a line that was left out.
  package var isSkippedLine: Bool { failure.map { SkippedLine.Code(rawValue: $0.code) != nil } ?? false }
}

extension RunFailure {
  package init(_ skipped: SkippedLine) {
    self.init(
      step: .plan, code: skipped.code.rawValue, message: skipped.diagnostic.message,
      advice: skipped.diagnostic.help)
  }
}
