import Syntax
import Text

/// Whether lines that name their source wrongly are left out, and what is to be known for it.
struct Skipping: Sendable {
  var isOn = false
  /// The job has no setting of its own.
  var isPlainList = false
  /// The client as the job names it.
  var clientName: String?
}

extension LinePass {
  /// A line of a stream: nothing else reports that it is not a source.
  mutating func readStreamed(
    _ text: LineReader.Line, file: String, number: Int, _ body: (JobLine, ChainTable) -> Void
  ) {
    guard case .text(let bytes) = text else {
      return refuse([.longLine], .text, in: TextLine(file: file, number: number, bytes: []))
    }
    var line = TextLine(file: file, number: number, bytes: bytes)
    line.hiddenFrom = SettingsPass.secretStart(bytes, table)
    if let fault = LineFault.first(in: bytes) { return refuse([fault], .text, in: line) }
    switch LineKind(bytes, table) {
    case .empty, .source: read(text, file: file, number: number, body)
    case .unknown(let word):
      refuse([UnknownLine(word, of: bytes, table, client: skipping.clientName).mistake], .source, in: line)
    case .setting(let row, let scanner):
      let mistake = Mistake(
        line.wordStart(before: scanner.position), "'\(row.name)' cannot stand in a stream of sources",
        help: "settings are given by flags or by --settings FILE")
      refuse([mistake], .source, in: line)
    }
  }

  /// Leaves out a line that cannot be read as a source at all. The first reading has told of those that stop the job.
  mutating func skipUnread(_ text: LineReader.Line, file: String, number: Int) {
    guard skipping.isOn else { return }
    guard case .text(let bytes) = text else {
      return refuse([.longLine], .text, in: TextLine(file: file, number: number, bytes: []))
    }
    var line = TextLine(file: file, number: number, bytes: bytes)
    line.hiddenFrom = SettingsPass.secretStart(bytes, table)
    let kind = LineKind(bytes, table)
    if let fault = LineFault.first(in: bytes) {
      if case .setting = kind { return }
      return refuse([fault], .text, in: line)
    }
    guard case .unknown(let word) = kind else { return }
    let unknown = UnknownLine(word, of: bytes, table, client: skipping.clientName)
    guard unknown.isSkippable(isPlainList: skipping.isPlainList) else { return }
    refuse([unknown.mistake], .source, in: line)
  }
}
