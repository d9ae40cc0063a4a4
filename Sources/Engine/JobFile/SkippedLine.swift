import Syntax

/// A line that names its source wrongly and is left out (`skip-invalid`).
package struct SkippedLine: Sendable, Hashable {
  /// What is wrong with it, for machines; one of a bounded set.
  package enum Code: String, Sendable, Hashable, CaseIterable {
    /// It is too long, not UTF-8, or holds control characters.
    case text = "job.text"
    case space = "job.space"
    /// It begins with no URL and no path that can be a source.
    case source = "job.source"
    /// The chains or options behind its source.
    case chains = "job.chains"
    /// The client cannot cache what the line asks for.
    case key = "job.key"

    /// What lines of this code have in common, in words.
    package var title: String {
      switch self {
      case .text: "the line is not valid UTF-8 text"
      case .space: "a URL or a path has white space in it"
      case .source: "the line has no source"
      case .chains: "the chains or options of the line are wrong"
      case .key: "the client cannot cache this rendition"
      }
    }
  }

  package var code: Code
  /// Place, message, advice, and the line's text without its secrets.
  package var diagnostic: Diagnostic
}

/// The lines of a job that were left out: at most ``limit`` are kept, all are counted.
package struct SkippedLines: Sendable, Hashable {
  package static let limit = 50_000

  package private(set) var lines: [SkippedLine] = []
  package private(set) var count = 0

  package init() {}

  package var isEmpty: Bool { count == 0 }
  package var omitted: Int { count - lines.count }

  /// Beyond the limit the text is not even made.
  package mutating func add(_ code: SkippedLine.Code, _ diagnostic: @autoclosure () -> Diagnostic) {
    count += 1
    if lines.count < Self.limit { lines.append(SkippedLine(code: code, diagnostic: diagnostic())) }
  }

  package mutating func add(contentsOf other: SkippedLines) {
    count += other.count
    lines += other.lines.prefix(Self.limit - lines.count)
  }
}

extension JobRows {
  /// What becomes of a job that is not all that it should be.
  static let losses: [Setting] = [
    Setting(
      JobKey.skipInvalid, .flag, in: .all, .job, "skip wrong job lines instead of stopping",
      example: "skip-invalid on",
      detail: """
        A job line with a mistake, in the job or in an included list, counts as one failed rendition. Mistakes in settings \
        and two job lines with the same key still stop the run. A cache is not pruned if lines were skipped.
        """
    ).with(usual: "off", changes: .lines).common,
    Setting(
      JobKey.allowEmpty, .flag, in: .all, .job, "let the job name no source at all",
      example: "allow-empty on",
      detail: """
        By default a job whose lines and includes name no source is an error: exit code 8 if the job prunes, else 2. With \
        this option nothing is made, and prune removes all entries of the job as far as prune-most allows.
        """
    ).with(usual: "off", changes: .lines),
  ]
}
