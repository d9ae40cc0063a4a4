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
    // Who sets such fields has a cache of their own in mind.
    guard !request.headers.contains(where: { Self.ownFields.contains($0.name.lowercased()) }) else {
      return try await fetch(request)
    }
    let found = request.cachePolicy == .reloadIgnoringCache ? nil : stored(for: request)
    guard let found else {
      guard request.cachePolicy != .returnCacheDontLoad else { throw Self.notCached(request) }
      return try await fetchAndStore(request, fetch)
    }
    if isUsable(found.response, for: request) {
      return Self.response(found.response, found.body, from: .cache)
    }
    guard !found.response.conditions.isEmpty else {
      return try await standingIn(found.response, found.body) { () async throws(HTTPFailure) in
        try await fetchAndStore(request, fetch)
      }
    }
    return try await standingIn(found.response, found.body) { () async throws(HTTPFailure) in
      try await validate(found.response, found.body, for: request, fetch)
    }
  }

  private func validate(
    _ stored: StoredResponse, _ body: [UInt8], for request: HTTPRequest, _ fetch: Fetch
  ) async throws(HTTPFailure) -> HTTPResponse {
    var conditional = request
    conditional.headers += stored.conditions
    let requestTime = now()
    let answer = try await fetch(conditional)
    guard answer.status == 304 else { return keep(answer, for: request, since: requestTime) }
    guard answer.redirects == 0, stored.isValidated(by: answer) else {
      return try await fetchAndStore(request, fetch)
    }
    let renewed = stored.updated(by: answer, requestTime: requestTime, responseTime: now())
    store.write(renewed, as: Self.name(of: request))
    return Self.response(renewed, body, from: .validatedCache)
  }

  func fetchAndStore(_ request: HTTPRequest, _ fetch: Fetch) async throws(HTTPFailure) -> HTTPResponse {
    let requestTime = now()
    let answer = try await fetch(request)
    return keep(answer, for: request, since: requestTime)
  }

  private func standingIn(
    _ stored: StoredResponse, _ body: [UInt8], _ load: () async throws(HTTPFailure) -> HTTPResponse
  ) async throws(HTTPFailure) -> HTTPResponse {
    do throws(HTTPFailure) {
      return try await load()
    } catch {
      guard mayStandIn(stored, for: error) else { throw error }
      return Self.response(stored, body, from: .staleCache)
    }
  }
}
