import Text

/// One line of a job, of a list, or the text of a flag, to tell where a mistake is.
///
/// Places are indexes as the scanner of the line had them, also in a copy.
package struct TextLine: Sendable {
  package var file: String
  package var number: Int
  /// False for text that may be a secret.
  package var isShown: Bool
  package private(set) var bytes: ArraySlice<UInt8>
  /// The place of the first byte.
  private let origin: Int

  package init(file: String, number: Int, bytes: ArraySlice<UInt8>, isShown: Bool = true) {
    self.file = file
    self.number = number
    self.bytes = bytes
    self.isShown = isShown
    origin = bytes.startIndex
  }

  /// The text of a flag or of an environment variable.
  package init(flag: String, text: String) {
    self.init(file: flag, number: 1, bytes: Array(text.utf8)[...])
  }

  /// A line to keep when the reader's buffer is gone.
  package func copied() -> TextLine {
    var copy = self
    copy.bytes = Array(bytes)[...]
    return copy
  }

  package func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[index(range.lowerBound)..<index(range.upperBound)], as: UTF8.self)
  }

  package func diagnostic(_ severity: Diagnostic.Severity, _ mistake: Mistake) -> Diagnostic {
    let index = index(mistake.offset)
    let column = String(decoding: bytes[..<index], as: UTF8.self).count + 1
    return Diagnostic(
      severity, file: file, line: number, column: column, message: mistake.message, help: mistake.help,
      sourceLine: shown(around: index), isVital: mistake.isVital)
  }

  private func index(_ place: Int) -> Int {
    min(max(place - origin + bytes.startIndex, bytes.startIndex), bytes.endIndex)
  }

  /// Long lines are cut well behind the place in question; the caret needs what is before it.
  private func shown(around place: Int) -> String {
    if !isShown { return "" }
    let end = min(bytes.endIndex, place + 400)
    let text = String(showing: SecretMask.masked(bytes[..<end]))
    return end < bytes.endIndex ? text + "…" : text
  }
}
