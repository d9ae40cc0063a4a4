/// A download that goes on from what an earlier one left (RFC 9110, sections 13.1.5, 14 and 15.3.7).
package struct ResumedDownload: Sendable {
  /// The beginning of the body, from its first byte on.
  package var part: HTTPPartialBody
  /// Bytes of the whole as the first answer announced them, where that is known.
  package var total: Int?

  package init(part: HTTPPartialBody, total: Int? = nil) {
    self.part = part
    self.total = total
  }

  /// What asks for the rest, but only if it is still the rest of the same.
  package var headers: [HTTPHeader] {
    [
      HTTPHeader(name: "Range", value: "bytes=\(part.bytes.count)-"),
      HTTPHeader(name: "If-Range", value: part.validator),
    ]
  }

  package enum Outcome: Sendable {
    case whole(HTTPResponse)
    /// The server gave some other part, or a part of something else: nothing of it can be used.
    case mismatch
  }

  /// Puts the beginning and an answer together.
  package func outcome(of response: HTTPResponse) -> Outcome {
    // The image has changed, or the server knows no ranges: it sent the whole.
    guard response.status == 206 else { return .whole(response) }
    guard isRest(response.fields, from: part.bytes.count), !response.isLengthUnverified,
      let range = ContentRange(response.fields.value("Content-Range")),
      range.last == part.bytes.count + response.body.count - 1,
      range.total.map({ $0 == range.last + 1 }) ?? (total == range.last + 1)
    else { return .mismatch }
    var whole = response
    whole.status = 200
    whole.body = part.bytes + response.body
    return .whole(whole)
  }

  /// Whether the fields of a 206 say that it is the rest of this very body.
  ///
  /// A server that takes no notice of `If-Range` sends the rest of whatever it has now. So the validator has
  /// to be in the answer, where it must be if it would be in a 200 (section 15.3.7).
  ///
  /// - Parameter count: bytes that are there already.
  func isRest(_ fields: [HTTPHeader], from count: Int) -> Bool {
    guard let range = ContentRange(fields.value("Content-Range")), range.first == count,
      range.total == nil || total == nil || range.total == total,
      fields.value("Content-Encoding").map({ $0.lowercased() == "identity" }) ?? true
    else { return false }
    return part.validator == fields.value(part.validator.hasPrefix("\"") ? "ETag" : "Last-Modified")
  }

  /// What to keep after a try that was cut off in its turn.
  package func extended(by next: HTTPPartialBody) -> HTTPPartialBody? {
    guard next.status == 206 else { return next }
    guard next.offset == part.bytes.count, next.validator == part.validator else { return nil }
    return HTTPPartialBody(status: 200, bytes: part.bytes + next.bytes, validator: part.validator)
  }
}
