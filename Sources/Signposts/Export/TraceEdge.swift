/// The begin or the end of an interval in a trace, in the order in which viewers nest.
struct TraceEdge: Comparable {
  let span: SignpostSpan
  let track: TraceTracks.Track
  let isBegin: Bool

  /// No interval is empty, so that an end always comes after its begin.
  var time: Int64 { isBegin ? span.begin : max(span.end, span.begin + 1) }

  /// Where times are equal: ends first, inner ends before outer ones, outer begins before inner ones.
  static func < (a: TraceEdge, b: TraceEdge) -> Bool {
    if a.time != b.time { return a.time < b.time }
    if a.isBegin != b.isBegin { return b.isBegin }
    return a.isBegin
      ? (-a.span.end, a.span.id) < (-b.span.end, b.span.id)
      : (-a.span.begin, b.span.id) < (-b.span.begin, a.span.id)
  }

  static func == (a: TraceEdge, b: TraceEdge) -> Bool { a.span == b.span && a.isBegin == b.isBegin }
}
