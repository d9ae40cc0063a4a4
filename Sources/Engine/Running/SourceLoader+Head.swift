import Digests
import Fetching
import Planning
import Rendering

extension SourceLoader {
  /// The beginning of a file, or all of it where the server knows no ranges or the file is short.
  ///
  /// - Returns: nil where the server answers neither the one nor the other, so that the file has to be asked for
  ///   without a range.
  func loadHead(_ request: HTTPRequest) async throws(RunFailure) -> SourceBody? {
    var request = request
    request.headers.append(
      HTTPHeader(name: "Range", value: "bytes=0-\(RenderRequest.headBytes - 1)"))
    do throws(HTTPFailure) {
      let response = try await http.load(request)
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
  func loadRest(of head: SourceBody, _ request: HTTPRequest) async -> SourceBody? {
    if head.isWhole { return head }
    guard let etag = head.etag, !etag.hasPrefix("W/") else { return nil }
    var request = request
    request.headers += [
      HTTPHeader(name: "Range", value: "bytes=\(head.bytes.count)-"),
      HTTPHeader(name: "If-Range", value: etag),
    ]
    guard let response = try? await http.load(request) else { return nil }
    if response.status == 200 { return SourceBody(response) }
    guard let part = ContentRange(response.fields.value("Content-Range")), response.etag == etag,
      part.first == head.bytes.count, part.last + 1 == part.total,
      part.last + 1 - part.first == response.body.count,
      part.last < request.maxBodyBytes ?? .max
    else { return nil }
    let bytes = head.bytes + response.body
    var body = SourceBody(bytes: bytes, digest: hexadecimal(SHA256.hash(bytes)))
    body.etag = head.etag
    body.lastModified = head.lastModified
    body.note = head.note
    body.origin = .network
    return body
  }
}
