import HTTPLoading

/// A download that goes on from what an earlier one left (RFC 9110, sections 13.1.5, 14 and 15.3.7).
struct ResumedDownload: Sendable {
  var part: HTTPPartialBody

  /// What asks for the rest, but only if it is still the rest of the same.
  var headers: [HTTPHeader] {
    [
      HTTPHeader(name: "Range", value: "bytes=\(part.bytes.count)-"),
      HTTPHeader(name: "If-Range", value: part.validator),
    ]
  }

  enum Outcome {
    case whole(HTTPResponse)
    /// The server gave some other part: nothing of it can be used.
    case mismatch
  }

  /// Puts the beginning and an answer together.
  func outcome(of response: HTTPResponse) -> Outcome {
    // The image has changed, or the server knows no ranges: it sent the whole.
    guard response.status == 206 else { return .whole(response) }
    guard let range = ContentRange(response.fields.value("Content-Range")), range.first == part.bytes.count,
      range.last == part.bytes.count + response.body.count - 1,
      range.total.map({ $0 == range.last + 1 }) ?? true
    else { return .mismatch }
    var whole = response
    whole.status = 200
    whole.body = part.bytes + response.body
    return .whole(whole)
  }

  /// What to keep after a try that was cut off in its turn.
  func extended(by next: HTTPPartialBody) -> HTTPPartialBody? {
    guard next.status == 206 else { return next }
    guard next.offset == part.bytes.count, next.validator == part.validator else { return nil }
    return HTTPPartialBody(status: 200, bytes: part.bytes + next.bytes, validator: part.validator)
  }
}
