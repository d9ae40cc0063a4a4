/// The findings of a job, in groups by kind: of each some are kept, all are counted.
package struct Diagnostics: Sendable, Sequence {
  /// Findings of a kind that are kept, and kinds.
  package static let limit = 50
  /// Those of a larger kind that are shown.
  private static let examples = 3

  /// Findings that say the same of different places and names.
  private struct Kind: Hashable {
    let severity: Diagnostic.Severity
    let isVital: Bool
    let shape: [UInt8]

    init(_ severity: Diagnostic.Severity, _ isVital: Bool, _ message: String) {
      (self.severity, self.isVital) = (severity, isVital)
      shape = Diagnostics.shape(of: message)
    }
  }

  /// A message with one mark in place of each number and of each text in quotes: sizes, times and names are each
  /// finding's own.
  package static func shape(of message: String) -> [UInt8] {
    var shape: [UInt8] = []
    var isQuoted = false
    var last = UInt8(ascii: " ")
    for byte in message.utf8 {
      // Not the apostrophe of a word.
      let isQuote = byte == UInt8(ascii: "'") && (isQuoted || !last.isLetterOrDigit)
      if isQuote { isQuoted.toggle() }
      if !isQuoted, !isQuote, !byte.isDigit {
        shape.append(byte)
      } else if shape.last != 0 {
        shape.append(0)
      }
      last = byte
    }
    return shape
  }

  private struct Group {
    var kept: [Diagnostic] = []
    var count = 0

    /// Those kept, by file, line and column.
    var sorted: [Diagnostic] {
      kept.sorted {
        ($0.file, $0.line, $0.column, $0.message) < ($1.file, $1.line, $1.column, $1.message)
      }
    }
  }

  private var groups: [Kind: Group] = [:]
  package private(set) var errorCount = 0
  private var warningCount = 0
  private let mostKept: Int

  package init(keeping most: Int = Self.limit) { mostKept = most }

  package var hasErrors: Bool { errorCount > 0 }
  package var isEmpty: Bool { count == 0 }
  package var count: Int { errorCount + warningCount }

  /// Errors first, then what makes a cache useless, each kind at the place of its first.
  private var ordered: [Group] {
    groups.map { kind, group in (kind: kind, group: Group(kept: group.sorted, count: group.count)) }.sorted {
      let (a, b) = ($0.group.kept[0], $1.group.kept[0])
      if a.severity != b.severity { return a.severity == .error }
      if a.isVital != b.isVital { return a.isVital }
      return (a.file, a.line, a.column, a.message) < (b.file, b.line, b.column, b.message)
    }.map(\.group)
  }

  /// Those kept, by file, line and column.
  package var sorted: [Diagnostic] { Group(kept: groups.values.flatMap(\.kept)).sorted }

  /// The same with what matters most first, of each kind as many as people can read.
  package var digest: [Diagnostic] { ordered.flatMap { $0.kept.prefix(Self.limit) } }

  package func makeIterator() -> IndexingIterator<[Diagnostic]> { sorted.makeIterator() }

  package mutating func add(_ diagnostic: Diagnostic) {
    add(diagnostic.severity, diagnostic.isVital, diagnostic.message) { diagnostic }
  }

  package mutating func add(_ severity: Diagnostic.Severity, _ mistake: Mistake, in line: TextLine) {
    add(severity, mistake.isVital, mistake.message) { line.diagnostic(severity, mistake) }
  }

  /// - Parameter diagnostic: beyond the limit it is not even made.
  private mutating func add(
    _ severity: Diagnostic.Severity, _ isVital: Bool, _ message: String, _ diagnostic: () -> Diagnostic
  ) {
    switch severity {
    case .error: errorCount += 1
    case .warning: warningCount += 1
    }
    let kind = Kind(severity, isVital, message)
    guard takes(kind) else { return }
    groups[kind, default: Group()].count += 1
    if groups[kind]?.kept.count ?? 0 < mostKept { groups[kind]?.kept.append(diagnostic()) }
  }

  /// Strange words make strange kinds without end.
  private func takes(_ kind: Kind) -> Bool {
    groups[kind] != nil || kind.isVital || groups.count < Swift.max(mostKept, Self.limit)
  }

  package mutating func add(_ mistakes: [Mistake], in line: TextLine) {
    for mistake in mistakes { add(.error, mistake, in: line) }
  }

  /// All of another list, also what that one only counted.
  package mutating func add(contentsOf other: Diagnostics) {
    errorCount += other.errorCount
    warningCount += other.warningCount
    for (kind, group) in other.groups where takes(kind) {
      groups[kind, default: Group()].count += group.count
      let room = mostKept - (groups[kind]?.kept.count ?? 0)
      groups[kind]?.kept += group.kept.prefix(room)
    }
  }

  /// Everything for a person: of a large kind some, and how many more.
  package func rendered(color: Bool = false) -> String {
    let texts = ordered.map { group in
      let shown = group.count <= Self.examples + 1 ? group.count : Self.examples
      let rest = group.count - Swift.min(shown, group.kept.count)
      return
        (group.kept.prefix(shown).map { $0.rendered(color: color) }
        + (rest > 0 ? ["and \(rest) more of this kind, \(group.count) in all"] : []))
        .joined(separator: "\n")
    }
    let rest = count - groups.values.reduce(0) { $0 + $1.count }
    return (texts + (rest > 0 ? ["and \(rest) more of other kinds"] : [])).joined(separator: "\n")
  }
}
