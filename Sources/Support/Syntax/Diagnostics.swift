/// What was found in a job: some errors, and at most ``limit`` warnings, are kept, all are counted.
package struct Diagnostics: Sendable, Sequence {
  package static let limit = 50

  package private(set) var errorCount = 0
  private(set) var warningCount = 0
  private var errors: [Diagnostic] = []
  private var warnings: [Diagnostic] = []
  private let mostErrors: Int

  package init(keeping errors: Int = Self.limit) { mostErrors = errors }

  package var hasErrors: Bool { errorCount > 0 }
  package var isEmpty: Bool { errorCount + warningCount == 0 }

  /// Errors that were counted but not kept.
  package var omittedErrors: Int { errorCount - errors.count }
  package var omittedWarnings: Int { warningCount - warnings.count }

  /// Those kept, by file, line and column.
  package var sorted: [Diagnostic] {
    (errors + warnings).sorted {
      ($0.file, $0.line, $0.column, $0.message) < ($1.file, $1.line, $1.column, $1.message)
    }
  }

  package func makeIterator() -> IndexingIterator<[Diagnostic]> { sorted.makeIterator() }

  package mutating func add(_ diagnostic: Diagnostic) {
    switch diagnostic.severity {
    case .error:
      errorCount += 1
      if errors.count < mostErrors { errors.append(diagnostic) }
    case .warning:
      warningCount += 1
      if warnings.count < Self.limit { warnings.append(diagnostic) }
    }
  }

  /// As ``add(_:)``, but beyond the limit the text is not even made.
  package mutating func add(_ severity: Diagnostic.Severity, _ mistake: Mistake, in line: TextLine) {
    switch severity {
    case .error where errors.count >= mostErrors: errorCount += 1
    case .warning where warnings.count >= Self.limit: warningCount += 1
    default: add(line.diagnostic(severity, mistake))
    }
  }

  package mutating func add(_ mistakes: [Mistake], in line: TextLine) {
    for mistake in mistakes { add(.error, mistake, in: line) }
  }

  /// All of another list, also what that one only counted.
  package mutating func add(contentsOf other: Diagnostics) {
    for diagnostic in other.errors + other.warnings { add(diagnostic) }
    errorCount += other.omittedErrors
    warningCount += other.omittedWarnings
  }

  /// What was left out, in words; nil when nothing was.
  package var omission: String? {
    let parts = [(omittedErrors, "error"), (omittedWarnings, "warning")].filter { $0.0 > 0 }
      .map { count, noun in "\(count) more \(noun)\(count == 1 ? "" : "s")" }
    return parts.isEmpty ? nil : "and " + parts.joined(separator: ", ")
  }

  /// Everything for a person, with how much was left out.
  package func rendered(color: Bool = false) -> String {
    (map { $0.rendered(color: color) } + [omission].compactMap { $0 }).joined(separator: "\n")
  }
}
