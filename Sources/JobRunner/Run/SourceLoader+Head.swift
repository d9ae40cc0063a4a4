import HTTPLoading
import Rendering

extension SourceLoader {
  /// The beginning of a file, or all of it where the server knows no ranges or the file is short.
  ///
  /// - Returns: nil where the server answers neither the one nor the other, so that the file has to be asked for
  ///   without a range.
  func loadHead(
    url: String, headers: [HTTPHeader], priority: HTTPRequest.Priority
  ) async throws(RunFailure) -> SourceBody? {
    let range = HTTPHeader(name: "Range", value: "bytes=0-\(RenderRequest.headBytes - 1)")
    do throws(HTTPFailure) {
      let response = try await http.load(
        HTTPRequest(url: url, headers: headers + [range], priority: priority))
      var body = SourceBody(response)
      guard response.status == 206 else { return body }
      guard let part = ContentRange(response.fields.value("Content-Range")), part.first == 0,
        part.last + 1 == response.body.count
      else { return nil }
      body.isWhole = part.total == response.body.count
      return body
    } catch {
      // "Range Not Satisfiable" says something about the range alone.
      if error.status == 416 { return nil }
      throw RunFailure(error)
    }
  }

  /// The whole of a file whose beginning is here: only what is missing is fetched, where the server can tell that
  /// it is still the same file (RFC 9110, section 13.1.5).
  ///
  /// - Returns: nil where the file has to be fetched as a whole.
  func loadRest(
    of head: SourceBody, url: String, headers: [HTTPHeader], priority: HTTPRequest.Priority
  ) async -> SourceBody? {
    if head.isWhole { return head }
    guard let etag = head.etag, !etag.hasPrefix("W/") else { return nil }
    let fields = [
      HTTPHeader(name: "Range", value: "bytes=\(head.bytes.count)-"),
      HTTPHeader(name: "If-Range", value: etag),
    ]
    guard
      let response = try? await http.load(
        HTTPRequest(url: url, headers: headers + fields, priority: priority))
    else { return nil }
    if response.status == 200 { return SourceBody(response) }
    guard let part = ContentRange(response.fields.value("Content-Range")), response.etag == etag,
      part.first == head.bytes.count, part.last + 1 == part.total,
      part.last + 1 - part.first == response.body.count,
      part.last < maxBytes
    else { return nil }
    var body = head
    body.bytes += response.body
    body.isWhole = true
    return body
  }
}
