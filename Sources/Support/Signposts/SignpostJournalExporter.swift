import Text

/// Writes finished intervals and events as lines for the system journal: `<7>` for "debug" in front
/// (sd-daemon(3)), then name, time and arguments as `key=value`.
package struct SignpostJournalExporter: SignpostExporter {
  private let file: SignpostFile
  private let showsPrivate: Bool

  package init(file: SignpostFile, showsPrivate: Bool = false) {
    self.file = file
    self.showsPrivate = showsPrivate
  }

  package var failure: String? { file.failure }

  package func write(_ records: [SignpostRecord]) {
    var text = JSONBytes()
    for record in records {
      let (span, isEvent): (SignpostSpan, Bool)
      switch record {
      case .interval(let interval, _): (span, isEvent) = (interval, false)
      case .event(let event): (span, isEvent) = (event, true)
      case .begun, .counter: continue
      }
      text.raw("<7>")
      text.plain(span.name.rawValue)
      if !isEvent {
        text.raw(" ms=")
        text.microseconds(span.duration / 1000)
      }
      for argument in span.metadata.arguments {
        text.plain(" \(argument.key.rawValue)=")
        text.value(argument.value, showsPrivate: showsPrivate)
      }
      text.raw("\n")
    }
    if !text.bytes.isEmpty { file.write(text.bytes) }
  }
}
