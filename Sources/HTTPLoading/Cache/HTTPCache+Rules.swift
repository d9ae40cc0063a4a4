import CacheCore

extension HTTPCache {
  /// Fields of a request that a cache would have to understand; such a request passes it by.
  static let ownFields: Set<String> = [
    "range", "if-range", "if-match", "if-unmodified-since", "if-none-match", "if-modified-since",
  ]

  /// RFC 9111, section 3, for a private cache; and only what is certainly whole.
  static func isStorable(_ answer: HTTPResponse, to request: HTTPRequest) -> Bool {
    answer.status == 200 && answer.redirects == 0 && !answer.isLengthUnverified
      && !StoredResponse.variesByAll(answer.fields)
      && !CacheControl(answer.fields.list("Cache-Control")).noStore
      && !CacheControl(request.headers.list("Cache-Control")).noStore
  }

  /// The file of a URL for one set of credentials: what one user may see is not given to another.
  static func name(of request: HTTPRequest) -> String {
    let url = request.url.prefix { $0 != "#" }
    let credentials = ["Authorization", "Cookie"].map { request.headers.list($0) ?? "" }
    return SHA256.hexadecimal(of: ([String(url)] + credentials).joined(separator: "\n"))
  }

  static func response(
    _ stored: StoredResponse, _ body: [UInt8], from source: HTTPResponse.Source
  ) -> HTTPResponse {
    let fields = stored.headers
    var response = HTTPResponse(
      body: body, contentType: fields.value("Content-Type"), etag: fields.value("ETag"),
      lastModified: fields.value("Last-Modified"), fields: fields)
    response.source = source
    response.bodyDigest = stored.bodyDigest
    return response
  }

  static func notCached(_ request: HTTPRequest) -> HTTPFailure {
    HTTPFailure(
      .notCached, "\(RedactedURL(request.url)): it is not in the HTTP cache, and nothing else was allowed")
  }
}
