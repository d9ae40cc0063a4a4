/// One line of a job, of a list, or the text of a flag, to tell where a mistake is.
struct TextLine: Sendable {
  var file: String
  var number: Int
  var bytes: ArraySlice<UInt8>
  /// Text from this index on may be a secret and is never shown.
  var hiddenFrom: Int?

  init(file: String, number: Int, bytes: ArraySlice<UInt8>, hiddenFrom: Int? = nil) {
    self.file = file
    self.number = number
    self.bytes = bytes
    self.hiddenFrom = hiddenFrom
  }

  /// The text of a flag or of an environment variable.
  init(flag: String, text: String) {
    self.init(file: flag, number: 1, bytes: Array(text.utf8)[...])
  }

  /// A line to keep beyond the reader's buffer.
  func copied() -> TextLine {
    let moved = hiddenFrom.map { $0 - bytes.startIndex }
    return TextLine(file: file, number: number, bytes: Array(bytes)[...], hiddenFrom: moved)
  }

  func diagnostic(_ severity: Diagnostic.Severity, _ mistake: Mistake) -> Diagnostic {
    let offset = min(max(mistake.offset, bytes.startIndex), bytes.endIndex)
    let column = String(decoding: bytes[..<offset], as: UTF8.self).count + 1
    return Diagnostic(
      severity, file: file, line: number, column: column, message: mistake.message, help: mistake.help,
      sourceLine: shown(around: offset))
  }

  /// Long lines are cut well behind the place in question; the caret needs what is before it.
  private func shown(around offset: Int) -> String {
    if let hiddenFrom {
      return String(decoding: SecretMask.masked(bytes[..<hiddenFrom]), as: UTF8.self) + "(hidden)"
    }
    let end = min(bytes.endIndex, offset + 400)
    let text = String(decoding: SecretMask.masked(bytes[..<end]), as: UTF8.self)
    return end < bytes.endIndex ? text + "…" : text
  }
}
