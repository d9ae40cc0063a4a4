import Bodies

/// The bytes of a source, and what a later run can find out by whether they are still right.
package struct SourceBody: Sendable {
  package var bytes: [UInt8]
  /// SHA-256 in hexadecimal.
  package var digest: String
  /// Of a response; for a file its size and date (`LocalFile.Status`).
  package var etag: String?
  package var lastModified: String?
  /// Something a person should know: a length that was not announced, an odd content type.
  package var note: String?
  /// The HTTP cache had it; a server may have been asked whether it is still right.
  package var isFromHTTPCache = false

  /// False for the first bytes of a file that has more.
  package var isWhole = true
  /// Of first bytes: how the rest is asked for; nil where the file has to be fetched as a whole.
  package var rest: ResumedDownload?

  package init(bytes: [UInt8], digest: String, etag: String? = nil, lastModified: String? = nil) {
    self.bytes = bytes
    self.digest = digest
    self.etag = etag
    self.lastModified = lastModified
  }

  static let staleNote = "the server could not be asked, so this is what it sent before"

  package init(_ response: HTTPResponse) {
    self.init(bytes: response.body, digest: response.bodyDigest ?? ContentDigest.sha256(response.body))
    // A condition would be sent to the URL that redirects, and its answer would be about another one.
    if response.redirects == 0 {
      etag = response.etag
      lastModified = response.lastModified
    }
    isFromHTTPCache = response.source != .network
    if response.source == .staleCache { note = Self.staleNote }
    if response.isLengthUnverified { note = "the server announced no length" }
  }

  /// The first bytes at a URL, or all of them where the server knows no ranges or there are no more.
  ///
  /// - Returns: nil where the whole has to be asked for without a range.
  package static func head(
    _ request: HTTPRequest, bytes: Int, fetch: HTTPCache.Fetch
  ) async throws(HTTPFailure) -> SourceBody? {
    var request = request
    request.headers.append(HTTPHeader(name: "Range", value: "bytes=0-\(bytes - 1)"))
    guard let response = try await request.part(fetch) else { return nil }
    var body = SourceBody(response)
    guard response.status == 206 else { return body }
    guard let part = ContentRange(response.fields.value("Content-Range")), part.first == 0,
      part.last + 1 == response.body.count, response.fields.areOfPlainBody
    else { return nil }
    body.isWhole = part.total == response.body.count
    // The rest has to be certainly that of the same, and from there: neither conditions nor credentials are sent to where
    // a redirect leads.
    if !body.isWhole, response.redirects == 0, !response.isLengthUnverified,
      let validator = response.fields.strongValidator
    {
      body.rest = ResumedDownload(bytes: response.body, validator: validator, total: part.total)
    }
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
