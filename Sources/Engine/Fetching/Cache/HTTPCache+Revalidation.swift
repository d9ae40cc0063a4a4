extension HTTPCache {
  /// Asks a server whether a body is still right, for callers that do not need the body if it is.
  ///
  /// The condition comes from the cache's record of this version, or else from the caller's.
  /// Without any the server is asked for the body.
  ///
  /// - Throws: `HTTPFailure` from `fetch`.
  func revalidate(
    _ request: HTTPRequest, _ known: HTTPKnownVersion, fetch: Fetch
  ) async throws(HTTPFailure) -> SourceLoader.Outcome {
    let name = Self.name(of: request)
    let head = store.head(name).flatMap { head in
      head.bodyDigest == known.digest && head.matches(request) ? head : nil
    }
    do throws(HTTPFailure) {
      switch try await ask(request, whether: head ?? StoredResponse(known, answering: request), fetch) {
      case .unchanged: return .unchanged
      case .answered(let answer): return .body(SourceBody(answer))
      }
    } catch {
      guard let head, mayStandIn(head, for: error) else { throw error }
      return .unchangedAsFarAsKnown
    }
  }
}

extension StoredResponse {
  /// A response of which only the validators and the digest are known. It is never fresh.
  init(_ known: HTTPKnownVersion, answering request: HTTPRequest) {
    let response = HTTPResponse(
      body: [],
      fields: [("ETag", known.etag), ("Last-Modified", known.lastModified)].compactMap { name, value in
        value.map { HTTPHeader(name: name, value: $0) }
      })
    self.init(response, to: request, requestTime: 0, responseTime: 0)
    bodyDigest = known.digest
  }
}

/// A body that the caller no longer has, or does not need: its digest, and the validators for a conditional request.
package struct HTTPKnownVersion: Sendable, Hashable {
  /// SHA-256 of the body in hexadecimal.
  package var digest: String
  package var etag: String?
  var lastModified: String?

  package init(digest: String, etag: String? = nil, lastModified: String? = nil) {
    self.digest = digest
    self.etag = etag
    self.lastModified = lastModified
  }
}

/// A picture as it was once seen at a URL.
package struct HTTPVersion: Sendable, Hashable {
  /// SHA-256 of the body in hexadecimal.
  package var digest: String
  /// The server's statement about its age still covers it, so nobody has to be asked.
  package var isFresh: Bool
}
