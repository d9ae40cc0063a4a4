import Foundation
import Text

/// Writes a recording as NDJSON: one JSON object a line, described in `docs/signposts.md`.
///
/// The order of the first members is part of the form: a reader of millions of lines may count on it.
public struct SignpostLogExporter: SignpostExporter {
  /// Grows when a reader of the older form would misread the newer one; new members alone do not count.
  public static let version = 1

  private let file: SignpostFile
  private let start: Int64
  private let showsPrivate: Bool

  /// Writes the header.
  ///
  /// - Parameters:
  ///   - file: Gets the lines.
  ///   - program: The program that records.
  ///   - showsPrivate: Also write what is private.
  public init(file: SignpostFile, program: String, showsPrivate: Bool = false) {
    self.file = file
    self.showsPrivate = showsPrivate
    start = SignpostClock.now
    var header = JSONBytes()
    header.plain("{\"type\":\"header\",\"v\":\(Self.version),\"subsystem\":\"preheat\",\"program\":")
    header.string(program)
    header.plain(",\"pid\":\(getpid()),\"wall\":\"\(SignpostClock.text(SignpostClock.wall))\"")
    header.plain(",\"monotonic\":\(start)}\n")
    file.write(header.bytes)
  }

  public var failure: String? { file.failure }

  public func write(_ records: [SignpostRecord]) {
    guard !records.isEmpty else { return }
    var json = JSONBytes()
    json.bytes.reserveCapacity(records.count * 160)
    for record in records { append(record, to: &json) }
    file.write(json.bytes)
  }

  public func finish(open: [SignpostSpan], at time: Int64) {
    file.write(Array("{\"type\":\"footer\",\"time\":\(time - start),\"open\":\(open.count)}\n".utf8))
  }

  private func append(_ record: SignpostRecord, to json: inout JSONBytes) {
    switch record {
    case .interval(let span, _):
      head("{\"type\":\"interval\",\"name\":", ",\"begin\":", span, &json)
      json.raw(",\"duration\":")
      json.integer(span.duration)
      tail(span, &json)
    case .begun(let span):
      head("{\"type\":\"begin\",\"name\":", ",\"begin\":", span, &json)
      tail(span, &json)
    case .event(let span):
      head("{\"type\":\"event\",\"name\":", ",\"time\":", span, &json)
      tail(span, &json)
    case .counter(let counter, let value, let time):
      let name = counter.rawValue
      json.plain("{\"type\":\"counter\",\"name\":\"\(name)\",\"time\":\(time - start),\"value\":\(value)}\n")
    }
  }

  private func head(
    _ type: StaticString, _ time: StaticString, _ span: SignpostSpan, _ json: inout JSONBytes
  ) {
    json.raw(type)
    json.plain("\"\(span.name.rawValue)\"")
    json.raw(",\"id\":")
    json.integer(span.id)
    json.raw(time)
    json.integer(span.begin - start)
  }

  private func tail(_ span: SignpostSpan, _ json: inout JSONBytes) {
    json.raw(",\"category\":")
    json.plain("\"\(span.name.category.rawValue)\"")
    if let parent = span.parent {
      json.raw(",\"parent\":")
      json.integer(parent)
    }
    for argument in span.metadata.arguments {
      json.plain(",\"\(argument.key.rawValue)\":")
      json.value(argument.value, showsPrivate: showsPrivate)
    }
    json.raw("}\n")
  }
}
