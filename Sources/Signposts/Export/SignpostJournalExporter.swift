/// Writes finished intervals and events as lines for the system journal: `<7>` for "debug" in front
/// (sd-daemon(3)), then name, time and arguments as `key=value`.
public struct SignpostJournalExporter: SignpostExporter {
  private let file: SignpostFile
  private let showsPrivate: Bool

  public init(file: SignpostFile, showsPrivate: Bool = false) {
    self.file = file
    self.showsPrivate = showsPrivate
  }

  public var failure: String? { file.failure }

  public func write(_ records: [SignpostRecord]) {
    var text = JSONBytes()
    for record in records {
      switch record {
      case .interval(let span, _):
        text.raw("<7>")
        text.string(plain: span.name.rawValue)
        text.raw(" ms=")
        text.microseconds(span.duration / 1000)
        arguments(span, &text)
      case .event(let span):
        text.raw("<7>")
        text.string(plain: span.name.rawValue)
        arguments(span, &text)
      case .begun, .counter: break
      }
    }
    if !text.bytes.isEmpty { file.write(text.bytes) }
  }

  public func finish(open: [SignpostSpan], at time: Int64) {}

  private func arguments(_ span: SignpostSpan, _ text: inout JSONBytes) {
    for argument in span.metadata.arguments {
      text.string(plain: " \(argument.key.rawValue)=")
      text.value(argument.value, showsPrivate: showsPrivate)
    }
    text.raw("\n")
  }
}
