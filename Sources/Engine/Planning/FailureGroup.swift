import JobFile

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
  package var renditions: [RenditionRecord] = []
  /// Whether the title says all that the messages say, except for their URLs.
  package var saysAll = true

  private init(_ failure: RunFailure) {
    (step, code, isRetryable, advice) = (failure.step, failure.code, failure.isRetryable, failure.advice)
    title = failure.cause ?? failure.message
  }

  /// One group for each cause, the largest first; of two that are equally large, the one that came first.
  package static func groups(of failed: [RenditionRecord]) -> [FailureGroup] {
    var groups: [FailureGroup] = []
    var places: [Key: Int] = [:]
    for rendition in failed {
      guard let failure = rendition.failure else { continue }
      let key = Key(failure)
      let place = places[key] ?? groups.count
      if place == groups.count {
        places[key] = place
        groups.append(FailureGroup(failure))
      }
      groups[place].renditions.append(rendition)
      if groups[place].saysAll, (failure.cause ?? failure.message) != groups[place].title {
        groups[place].saysAll = false
        if let common = failure.common { groups[place].title = common }
      }
      if failure.advice != groups[place].advice { groups[place].advice = nil }
    }
    return groups.enumerated().sorted { a, b in
      (-a.element.renditions.count, a.offset) < (-b.element.renditions.count, b.offset)
    }.map(\.element)
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
        let isDigit = (48...57).contains(byte)
        if isDigit, shape.last == 0 { continue }
        shape.append(isDigit ? 0 : byte)
      }
      return String(decoding: shape, as: UTF8.self)
    }
  }
}

extension RunFailure {
  /// What failures of its kind share by their nature; nil where only the messages can tell.
  fileprivate var common: String? { cause ?? SkippedLine.Code(rawValue: code)?.title }
}
