import Fetching
import Planning

extension SourceLoader {
  /// The beginning of a file, or all of it where the server knows no ranges or the file is short.
  ///
  /// - Returns: nil where the server answers neither the one nor the other, so that the file has to be asked for
  ///   without a range.
  func loadHead(_ request: HTTPRequest, bytes: Int) async throws(RunFailure) -> SourceBody? {
    do throws(HTTPFailure) {
      return try await SourceBody.head(request, bytes: bytes) { (request) async throws(HTTPFailure) in
        try await http.load(request)
      }
    } catch {
      throw RunFailure(error)
    }
  }

  /// The whole of a file whose beginning is here: only what is missing is fetched.
  ///
  /// - Returns: nil where the file has to be fetched as a whole.
  func loadRest(of head: SourceBody, _ request: HTTPRequest) async -> SourceBody? {
    await head.whole(request) { (request) async throws(HTTPFailure) in try await http.load(request) }
  }
}

extension SourceBody {
  /// The first bytes at a URL, or all of them where the server knows no ranges or there are no more.
  ///
  /// - Returns: nil where the whole has to be asked for without a range.
  package static func head(
    _ request: HTTPRequest, bytes: Int, fetch: HTTPCache.Fetch
  ) async throws(HTTPFailure) -> SourceBody? {
    var request = request
    request.headers.append(HTTPHeader(name: "Range", value: "bytes=0-\(bytes - 1)"))
    let response: HTTPResponse
    do throws(HTTPFailure) {
      response = try await fetch(request)
    } catch {
      // "Range Not Satisfiable" says something about the range alone.
      if error.status == 416 { return nil }
      throw error
    }
    var body = SourceBody(response)
    guard response.status == 206 else { return body }
    guard let part = ContentRange(response.fields.value("Content-Range")), part.first == 0,
      part.last + 1 == response.body.count, response.fields.areOfPlainBody
    else { return nil }
    body.isWhole = part.total == response.body.count
    if !body.isWhole { body.rest = ResumedDownload(head: response) }
    return body
  }

  /// The whole whose first bytes these are.
  ///
  /// - Returns: nil where it has to be fetched from its beginning.
  package func whole(_ request: HTTPRequest, fetch: HTTPCache.Fetch) async -> SourceBody? {
    if isWhole { return self }
    guard let response = try? await rest?.load(request, fetch: fetch), response.status != 304 else {
      return nil
    }
    return SourceBody(response)
  }
}
