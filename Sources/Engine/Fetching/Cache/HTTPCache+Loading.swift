import Text

extension HTTPCache {
  /// Fetches a request that the cache has made, perhaps with a condition in it.
  public typealias Fetch = (HTTPRequest) async throws(HTTPFailure) -> HTTPResponse

  /// Answers from the cache or through anything that fetches, whichever the request's policy and the fields of what
  /// is stored ask for.
  ///
  /// - Throws: `HTTPFailure` from `fetch`, or with the code `fetch.not-cached`.
  public func load(_ request: HTTPRequest, fetch: Fetch) async throws(HTTPFailure) -> HTTPResponse {
    // A caller that sets such fields has a cache of its own.
    let own = ["Range", "If-Range", "If-Match", "If-Unmodified-Since", "If-None-Match", "If-Modified-Since"]
    guard !request.headers.contains(where: { own.contains(where: $0.isNamed) }) else {
      return try await fetch(request)
    }
    let found = request.cachePolicy == .reloadIgnoringCache ? nil : stored(for: request)
    guard let found else {
      guard request.cachePolicy != .returnCacheDontLoad else {
        let place = RedactedURL(request.url)
        throw HTTPFailure(.notCached, "\(place): it is not in the HTTP cache, and nothing else was allowed")
      }
      return try await fetchAndStore(request, fetch)
    }
    if isUsable(found.response, for: request) {
      return Self.response(found.response, found.body, from: .cache)
    }
    do throws(HTTPFailure) {
      switch try await ask(request, whether: found.response, fetch) {
      case .unchanged(let renewed): return Self.response(renewed, found.body, from: .validatedCache)
      case .answered(let answer): return answer
      }
    } catch {
      guard mayStandIn(found.response, for: error) else { throw error }
      return Self.response(found.response, found.body, from: .staleCache)
    }
  }

  /// The outcome of asking a server whether it still has a version.
  enum Answer {
    /// It has; its fields may be newer.
    case unchanged(StoredResponse)
    /// Another version, or the same again where it cannot be asked with a condition.
    case answered(HTTPResponse)
  }

  /// Asks a server whether it still has a version, and stores what it says.
  func ask(
    _ request: HTTPRequest, whether known: StoredResponse, _ fetch: Fetch
  ) async throws(HTTPFailure) -> Answer {
    let conditions = known.conditions
    guard !conditions.isEmpty else { return .answered(try await fetchAndStore(request, fetch)) }
    var conditional = request
    conditional.headers += conditions
    let requestTime = now()
    let answer = try await fetch(conditional)
    guard answer.status == 304 else {
      return .answered(keep(answer, for: request, since: requestTime))
    }
    // The condition was the original URL's; an answer from elsewhere is about something else.
    guard answer.redirects == 0, known.isValidated(by: answer) else {
      return .answered(try await fetchAndStore(request, fetch))
    }
    let renewed = known.updated(by: answer, to: request, requestTime: requestTime, responseTime: now())
    note(renewed, Self.name(of: request))
    let mayKeep = !CacheControl(answer.fields.list("Cache-Control")).noStore
    if mayKeep { store.write(renewed, as: Self.name(of: request), renewing: known) }
    return .unchanged(renewed)
  }

  private func fetchAndStore(_ request: HTTPRequest, _ fetch: Fetch) async throws(HTTPFailure) -> HTTPResponse
  {
    let requestTime = now()
    let answer = try await fetch(request)
    return keep(answer, for: request, since: requestTime)
  }

  /// Asks a server whether a body is still right, for callers that do not need the body if it is.
  ///
  /// The condition comes from the cache's record of this version, or else from the caller's.
  /// Without any the server is asked for the body.
  ///
  /// - Throws: `HTTPFailure` from `fetch`.
  func revalidate(
    _ request: HTTPRequest, _ known: HTTPKnownVersion, fetch: Fetch
  ) async throws(HTTPFailure) -> SourceLoader.Outcome {
    let stored = store.head(Self.name(of: request)).flatMap { $0.bodyDigest == known.digest ? $0 : nil }
    let head = stored.flatMap { $0.matches(request) ? $0 : nil }
    let question = head ?? StoredResponse(known, answering: request, at: stored?.responseTime ?? 0)
    do throws(HTTPFailure) {
      switch try await ask(request, whether: question, fetch) {
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
  ///
  /// - Parameter time: of the response with this body that the index has, 0 where it has none.
  init(_ known: HTTPKnownVersion, answering request: HTTPRequest, at time: Int64) {
    let response = HTTPResponse(
      body: [],
      fields: [("ETag", known.etag), ("Last-Modified", known.lastModified)].compactMap { name, value in
        value.flatMap { HTTPHeader(received: name, $0) }
      })
    self.init(response, to: request, requestTime: time, responseTime: time)
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
  /// The server's statement about its age still covers it, so no server has to be asked.
  package var isFresh: Bool
}
