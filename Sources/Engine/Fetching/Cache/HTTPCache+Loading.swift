import Text

extension HTTPCache {
  /// Fetches a request that the cache has made, perhaps with a condition in it.
  public typealias Fetch = (HTTPRequest) async throws(HTTPFailure) -> HTTPResponse

  /// Answers from the cache or through a loader, whichever the request's policy and the fields of what is
  /// stored ask for.
  ///
  /// - Throws: `HTTPFailure` from the loader, or with the code `fetch.not-cached`.
  package func load(
    _ request: HTTPRequest, through loader: HTTPLoader, progress: HTTPProgress.Handler? = nil
  ) async throws(HTTPFailure) -> HTTPResponse {
    try await load(request) { (request) async throws(HTTPFailure) in
      try await loader.load(request, progress: progress)
    }
  }

  /// The same through anything that fetches.
  public func load(_ request: HTTPRequest, fetch: Fetch) async throws(HTTPFailure) -> HTTPResponse {
    // A caller that sets such fields has a cache of its own.
    guard !request.headers.contains(where: { Self.ownFields.contains($0.name.lowercased()) }) else {
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
    guard !known.conditions.isEmpty else { return .answered(try await fetchAndStore(request, fetch)) }
    var conditional = request
    conditional.headers += known.conditions
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
    let mayKeep = !CacheControl(answer.fields.list("Cache-Control")).noStore
    if mayKeep { store.write(renewed, as: Self.name(of: request)) }
    return .unchanged(renewed)
  }

  private func fetchAndStore(_ request: HTTPRequest, _ fetch: Fetch) async throws(HTTPFailure) -> HTTPResponse
  {
    let requestTime = now()
    let answer = try await fetch(request)
    return keep(answer, for: request, since: requestTime)
  }
}
