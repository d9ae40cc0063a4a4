import Concurrency
import Text

/// Writes a recording in the Trace Event Format, which Perfetto and chrome://tracing open.
///
/// Every worker and every host is shown as a process of its own. Its intervals are nestable async events
/// (`b` and `e`); those with one id lie in one row: all of a worker, and each download from a host.
/// The array form is written, of which a viewer also accepts a beginning.
///
/// Source: "Trace Event Format", Google, sections "Async Events", "Counter Events", "JSON Array Format".
public final class SignpostTraceExporter: SignpostExporter {
  private let file: SignpostFile
  private let showsPrivate: Bool
  private let start: Int64
  private let tracks = Locked(TraceTracks())

  /// Writes the head of the array.
  public init(file: SignpostFile, program: String, showsPrivate: Bool = false) {
    self.file = file
    self.showsPrivate = showsPrivate
    start = SignpostClock.now
    var json = JSONBytes()
    json.raw("[\n")
    TraceTracks.describe(process: TraceTracks.run, name: program, order: 0, in: &json)
    file.write(json.bytes)
  }

  public var failure: String? { file.failure }

  public func write(_ records: [SignpostRecord]) {
    guard !records.isEmpty else { return }
    var edges: [TraceEdge] = []
    var json = JSONBytes()
    tracks.withLock { tracks in
      for record in records {
        switch record {
        case .begun(let span):
          edges.append(
            TraceEdge(span: span, track: tracks.track(of: span, describingIn: &json), isBegin: true))
        case .interval(let span, let wasBegun):
          let track = tracks.track(of: span, describingIn: &json)
          if !wasBegun { edges.append(TraceEdge(span: span, track: track, isBegin: true)) }
          edges.append(TraceEdge(span: span, track: track, isBegin: false))
        case .event(let span):
          append(
            "\"i\",\"s\":\"p\"", span, at: span.begin, in: tracks.track(of: span, describingIn: &json), &json)
        case .counter(let counter, let value, let time):
          json.plain(",\n{\"ph\":\"C\",\"name\":\"\(counter.rawValue)\",\"pid\":1,\"tid\":0,\"ts\":")
          json.microseconds(time - start)
          json.plain(",\"args\":{\"value\":\(value)}}")
        }
      }
    }
    edges.sort(by: TraceEdge.precedes)
    for edge in edges { append(edge, &json) }
    file.write(json.bytes)
  }

  /// What never ended is ended here, so that every begin has its end.
  public func finish(open: [SignpostSpan], at time: Int64) {
    var json = JSONBytes()
    tracks.withLock { tracks in
      for span in open.reversed() {
        var span = span
        span.end = max(time, span.begin + 1)
        span.metadata[.succeeded] = .flag(false)
        let track = tracks.track(of: span, describingIn: &json)
        append(TraceEdge(span: span, track: track, isBegin: false), &json)
      }
    }
    json.raw(",\n{\"ph\":\"i\",\"s\":\"g\",\"name\":\"end\",\"pid\":1,\"tid\":0,\"ts\":")
    json.microseconds(time - start)
    json.raw("}\n]\n")
    file.write(json.bytes)
  }

  private func append(_ edge: TraceEdge, _ json: inout JSONBytes) {
    append(
      edge.isBegin ? "\"b\"" : "\"e\"", edge.span, at: edge.time, in: edge.track, id: edge.track.row, &json)
  }

  /// - Parameter phase: in its quotes, with what has to stand beside it.
  private func append(
    _ phase: String, _ span: SignpostSpan, at time: Int64, in track: TraceTracks.Track, id: String? = nil,
    _ json: inout JSONBytes
  ) {
    let category = span.name.category.rawValue
    json.plain(",\n{\"ph\":\(phase),\"cat\":\"\(category)\",\"name\":\"\(span.name.rawValue)\"")
    if let id { json.plain(",\"id\":\"\(id)\"") }
    json.plain(",\"pid\":\(track.process),\"tid\":0,\"ts\":")
    json.microseconds(time - start)
    if !span.metadata.isEmpty { json.raw(",\"args\":{") }
    for (index, argument) in span.metadata.arguments.enumerated() {
      json.plain("\(index > 0 ? "," : "")\"\(argument.key.rawValue)\":")
      json.value(argument.value, showsPrivate: showsPrivate)
    }
    if !span.metadata.isEmpty { json.raw("}") }
    json.raw("}")
  }
}
