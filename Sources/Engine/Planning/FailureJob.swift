import ClientKit
import JobFile
import Syntax
import Text

/// What failed in a run as the text of a job: its plan has the keys of the failed renditions, and a run of it completes
/// the cache.
///
/// URLs and settings are as the job has them, with their secrets. Comments hold what strangers said, made safe.
package struct FailureJob: Sendable {
  private let plan: Plan
  private let failed: FailedChains
  /// Renditions that the run did not come to.
  private let leftUndone: Int

  package init(_ plan: Plan, failed: FailedChains, leftUndone: Int = 0) {
    self.plan = plan
    self.failed = failed
    self.leftUndone = leftUndone
  }

  private struct Line {
    var row: Plan.Row
    var chains: [String]
    var causes: [String]
  }

  package var text: String {
    let lines = lines()
    var text = head(lines.count)
    if !lines.isEmpty {
      text += settingLines(using: lines.flatMap(\.chains)).map { $0.text + "\n" }.joined()
      let main = plan.settings.mainPath
      text += "cache \(QuotedText.quoted(plan.settings.cache))\n"
      text += "partial \(QuotedText.quoted(main == "-" ? main : PathText.absolute(main)))\n\n"
    }
    for line in lines {
      let source = plan.sources[Int(line.row.source)]
      text += JobLineText.line(
        url: source.url, chains: line.chains, options: plan.options[Int(line.row.options)])
      text += "  # \(Self.comment(line.causes.joined(separator: "; ")))\n"
    }
    return text + skipped
  }

  private func head(_ count: Int) -> String {
    var text = "# Written by preheat \(PreheatVersion.text) --failures: what failed in a run of "
    text += "\(Self.comment(plan.settings.path))\n"
    if leftUndone > 0 {
      text += "# The run was stopped; \(NumberText.count(leftUndone, "rendition")) that were not started "
      text += "\(leftUndone == 1 ? "is" : "are") not in here.\n"
    }
    return text + (count == 0 ? "# No rendition failed.\n" : "# It may hold secrets, as that job does.\n")
  }

  /// Without the chains that no line needs, of which a run would warn.
  private func settingLines(using labels: [String]) -> [SettingLine] {
    let chain = JobRows.Structure.chain.rawValue
    var needed = Set(labels.flatMap(Self.names))
    for line in plan.settingLines where line.row == JobRows.Structure.default.rawValue {
      needed.formUnion(Self.names(in: line.text))
    }
    var rest = plan.settingLines.filter { $0.row == chain }.map { Self.names(in: $0.text).dropFirst() }
    // A chain may be made of others, before or behind it.
    while let index = rest.firstIndex(where: { $0.first.map(needed.contains) ?? false }) {
      needed.formUnion(rest.remove(at: index))
    }
    return plan.settingLines.filter { line in
      line.row != chain || Self.names(in: line.text).dropFirst().first.map(needed.contains) ?? true
    }
  }

  private static func names(in text: String) -> [ByteText] {
    text.utf8.split { !LineScanner.isName($0) }.map { ByteText(String(Substring($0))) }
  }

  private func lines() -> [Line] {
    guard !failed.isEmpty else { return [] }
    var lines: [Line] = []
    for row in plan.rows {
      let chain = plan.chains[plan.variants[Int(row.variant)].chain].label
      let place = FailedChains.Place(file: plan.files[Int(row.file)], line: Int(row.line), chain: chain)
      guard let cause = failed.causes[place] else { continue }
      if let last = lines.last?.row,
        (last.source, last.file, last.line, last.options)
          == (row.source, row.file, row.line, row.options)
      {
        let index = lines.count - 1
        // Once for all its scales.
        if !lines[index].chains.contains(where: { $0.hasBytes(of: chain) }) {
          lines[index].chains.append(chain)
        }
        if !lines[index].causes.contains(cause) { lines[index].causes.append(cause) }
      } else {
        lines.append(Line(row: row, chains: [chain], causes: [cause]))
      }
    }
    return lines.sorted { ($0.row.file, $0.row.line) < ($1.row.file, $1.row.line) }
  }

  /// Lines that were left out: it is not known what they stand for, so they are comments.
  private var skipped: String {
    guard !plan.skipped.isEmpty else { return "" }
    var text = "\n# \(NumberText.count(plan.skipped.count, "line")) left out of the job as wrong:\n"
    for line in plan.skipped.lines {
      let finding = line.diagnostic
      text +=
        "# \(Self.comment("\(finding.file):\(finding.line): \(finding.message) (\(line.code.rawValue))"))\n"
      if !finding.sourceLine.isEmpty { text += "#     \(Self.comment(finding.sourceLine))\n" }
    }
    if plan.skipped.omitted > 0 { text += "# and \(NumberText.grouped(plan.skipped.omitted)) more\n" }
    return text
  }

  /// One line, without anything that a terminal or a log reader acts on.
  private static func comment(_ text: String) -> String { SafeText.escape(text, limit: 400) }
}

/// The chains of job lines that failed, each with its cause, for a job that makes them again.
package struct FailedChains: Sendable {
  struct Place: Hashable {
    var file: ByteText
    var line: Int
    var chain: ByteText

    init(file: String, line: Int, chain: String) {
      (self.file, self.line, self.chain) = (ByteText(file), line, ByteText(chain))
    }
  }

  private(set) var causes: [Place: String] = [:]

  package init() {}

  package var isEmpty: Bool { causes.isEmpty }

  /// Two scales of one chain may fail for two causes: the first is printed.
  package mutating func add(_ rendition: PlannedRendition, _ failure: RunFailure) {
    let place = Place(file: rendition.file, line: rendition.line, chain: rendition.chain)
    if causes[place] == nil { causes[place] = "\(failure.cause ?? failure.message) (\(failure.code))" }
  }
}

/// Renditions that failed for one cause: HTTP 404 from one host is one, whatever the URLs are.
package struct FailureGroup: Sendable, Hashable {
  package var step: RunFailure.Step
  package var code: String
  package var isRetryable: Bool
  /// What they have in common; of messages that differ in their numbers alone, the one of the first.
  package var title: String
  /// What can be done about it, where that is the same for all.
  package var advice: String?
  /// In the order given.
  package var renditions: [RenditionRecord]
  /// Whether the title says all that the messages say, except for their URLs.
  package var saysAll: Bool

  private init(_ members: [(rendition: RenditionRecord, failure: RunFailure)]) {
    let first = members[0].failure
    (step, code, isRetryable) = (first.step, first.code, first.isRetryable)
    advice = members.allSatisfy { $0.failure.advice == first.advice } ? first.advice : nil
    let title = first.cause ?? first.message
    saysAll = members.allSatisfy { ($0.failure.cause ?? $0.failure.message) == title }
    self.title = saysAll ? title : first.common ?? title
    renditions = members.map(\.rendition)
  }

  /// One group for each cause, the largest first; of two that are equally large, the one that came first.
  package static func groups(of failed: [RenditionRecord]) -> [FailureGroup] {
    let members = failed.compactMap { rendition in rendition.failure.map { (rendition, $0) } }
    let groups = Dictionary(grouping: members.enumerated()) { Key($0.element.1) }.values
    return groups.sorted { a, b in (-a.count, a[0].offset) < (-b.count, b[0].offset) }.map { group in
      FailureGroup(group.map(\.element))
    }
  }

  /// A line of a job with its chains that failed.
  package struct Line: Sendable, Hashable {
    package var first: RenditionRecord
    package var chains: [String]

    /// `card @2x, list`, those beyond the fifth counted; nil of a line that was left out, which has none.
    package var chainList: String? {
      let named = chains.filter { !$0.isEmpty }
      guard !named.isEmpty else { return nil }
      let rest = named.count > 5 ? " and \(named.count - 5) more" : ""
      return named.prefix(5).joined(separator: ", ") + rest
    }
  }

  /// Neighbours of one line and source, with all their chains.
  package var lines: [Line] {
    var lines: [Line] = []
    for rendition in renditions {
      let last = lines.last?.first
      if let last, (last.file, last.line, last.source) == (rendition.file, rendition.line, rendition.source) {
        lines[lines.count - 1].chains.append(rendition.chainAndScale)
      } else {
        lines.append(Line(first: rendition, chains: [rendition.chainAndScale]))
      }
    }
    return lines
  }

  private struct Key: Hashable {
    var step: RunFailure.Step
    var code: String
    var isRetryable: Bool
    var text: String

    init(_ failure: RunFailure) {
      (step, code, isRetryable) = (failure.step, failure.code, failure.isRetryable)
      text = failure.common ?? Self.shape(of: failure.message)
    }

    /// A message with one mark for each of its numbers: sizes and times are each picture's own.
    private static func shape(of message: String) -> String {
      var shape: [UInt8] = []
      for byte in message.utf8 {
        if byte.isDigit, shape.last == 0 { continue }
        shape.append(byte.isDigit ? 0 : byte)
      }
      return String(decoding: shape, as: UTF8.self)
    }
  }
}

extension RunFailure {
  /// What failures of its kind share by their nature; nil where only the messages can tell.
  fileprivate var common: String? { cause ?? SkippedLine.Code(rawValue: code)?.title }
}
