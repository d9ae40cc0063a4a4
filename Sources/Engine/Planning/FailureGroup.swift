import JobFile
import Syntax
import Text

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
    var text: [UInt8]

    init(_ failure: RunFailure) {
      (step, code, isRetryable) = (failure.step, failure.code, failure.isRetryable)
      text = failure.common.map { Array($0.utf8) } ?? Diagnostics.shape(of: failure.message)
    }
  }
}

extension RunFailure {
  /// What failures of its kind share by their nature; nil where only the messages can tell.
  fileprivate var common: String? { cause ?? SkippedLine.Code(rawValue: code)?.title }
}
