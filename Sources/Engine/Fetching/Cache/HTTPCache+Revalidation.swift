extension HTTPCache {
  /// Asks a server whether a body is still right, for somebody who does not need the body if it is.
  ///
  /// The condition is made of what the cache remembers of this version, or else of what the caller does.
  /// Without any the server is asked for the body.
  ///
  /// - Throws: `HTTPFailure` from `fetch`.
  package func revalidate(
    _ request: HTTPRequest, _ known: HTTPKnownVersion, fetch: Fetch
  ) async throws(HTTPFailure) -> HTTPRevalidation {
    let name = Self.name(of: request)
    let head = store.head(name).flatMap { head in
      head.bodyDigest == known.digest && head.matches(request) ? head : nil
    }
    do throws(HTTPFailure) {
      return try await ask(request, known, head: head, fetch)
    } catch {
      guard let head, mayStandIn(head, for: error) else { throw error }
      return .unchangedAsFarAsKnown
    }
  }

  private func ask(
    _ request: HTTPRequest, _ known: HTTPKnownVersion, head: StoredResponse?, _ fetch: Fetch
  ) async throws(HTTPFailure) -> HTTPRevalidation {
    let asked = head ?? StoredResponse(known, answering: request)
    guard !asked.conditions.isEmpty else { return .answered(try await fetchAndStore(request, fetch)) }
    var conditional = request
    conditional.headers += asked.conditions
    let requestTime = now()
    let answer = try await fetch(conditional)
    guard answer.status == 304 else {
      return .answered(keep(answer, for: request, since: requestTime))
    }
    // The condition was the original URL's; an answer from elsewhere is about something else.
    guard answer.redirects == 0, asked.isValidated(by: answer) else {
      return .answered(try await fetchAndStore(request, fetch))
    }
    let renewed = asked.updated(by: answer, requestTime: requestTime, responseTime: now())
    let mayKeep = !CacheControl(answer.fields.list("Cache-Control")).noStore
    if mayKeep { store.write(renewed.selected(by: request), as: Self.name(of: request)) }
    return .unchanged
  }
}

extension StoredResponse {
  /// What is left of a response when only its validators and its digest are known. It is never fresh.
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

/// What came of asking whether a body is still right.
package enum HTTPRevalidation: Sendable {
  /// It is; nothing but header fields was transferred.
  case unchanged
  /// The server could not be asked, and the cache lets what is stale stand in for it.
  case unchangedAsFarAsKnown
  /// The server sent a body: another one, or the same again because it cannot be asked with a condition.
  case answered(HTTPResponse)
}

/// What somebody remembers of a body that he no longer has, or need not have: its digest, and what a server
/// can be asked with.
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
  /// It is still right by what the server said about its age, without asking.
  package var isFresh: Bool
}
