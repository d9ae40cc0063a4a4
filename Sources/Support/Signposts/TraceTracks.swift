import Text

/// Which row of a trace an interval lies in.
struct TraceTracks: Sendable {
  struct Track: Hashable, Sendable {
    /// The process that a viewer shows it under.
    var process: Int
    /// Intervals of one row nest.
    var row: String
  }

  /// The process for all that has neither worker nor host.
  static let run = 1
  private static let firstWorker = 1000
  private static let firstHost = 100_000

  private var hosts: [String: Int] = [:]
  private var workers: Set<Int> = []

  /// - Parameter json: Gets the name of a track that is met for the first time.
  mutating func track(of span: SignpostSpan, describingIn json: inout JSONBytes) -> Track {
    if case .integer(let worker)? = span.metadata[.worker] {
      let process = Self.firstWorker + worker
      if workers.insert(worker).inserted {
        Self.describe(process: process, name: "worker \(worker)", order: process, in: &json)
      }
      return Track(process: process, row: "worker \(worker)")
    }
    return Track(process: host(of: span, describingIn: &json), row: "\(span.parent ?? span.id)")
  }

  private mutating func host(of span: SignpostSpan, describingIn json: inout JSONBytes) -> Int {
    guard case .text(let host)? = span.metadata[.host] else { return Self.run }
    if let process = hosts[host] { return process }
    let process = Self.firstHost + hosts.count
    hosts[host] = process
    Self.describe(process: process, name: host, order: process, in: &json)
    return process
  }

  /// Metadata events: the first thing in an array, or one more of its elements.
  static func describe(process: Int, name: String, order: Int, in json: inout JSONBytes) {
    json.raw(order == 0 ? "" : ",\n")
    json.plain(
      "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":\(process),\"tid\":0,\"args\":{\"name\":")
    json.string(name)
    json.plain(
      "}},\n{\"ph\":\"M\",\"name\":\"process_sort_index\",\"pid\":\(process),\"tid\":0,"
        + "\"args\":{\"sort_index\":\(order)}}")
  }
}

/// The begin or the end of an interval in a trace, in the order in which viewers nest.
struct TraceEdge {
  let span: SignpostSpan
  let track: TraceTracks.Track
  let isBegin: Bool

  /// No interval is empty, so that an end always comes after its begin.
  var time: Int64 { isBegin ? span.begin : max(span.end, span.begin + 1) }

  /// Where times are equal: ends first, inner ends before outer ones, outer begins before inner ones.
  static func precedes(_ a: TraceEdge, _ b: TraceEdge) -> Bool {
    if a.time != b.time { return a.time < b.time }
    if a.isBegin != b.isBegin { return b.isBegin }
    return a.isBegin
      ? (-a.span.end, a.span.id) < (-b.span.end, b.span.id)
      : (-a.span.begin, b.span.id) < (-b.span.begin, a.span.id)
  }
}
