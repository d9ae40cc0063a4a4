import Bodies
import Text

/// Gets a source's bytes from the network, the HTTP cache, a file or the URL, or finds out that they are not needed.
package struct SourceLoader: Sendable {
  package var http: HTTPLoader
  package var cache: HTTPCache?
  package var partials: PartialDownloads?

  package init(http: HTTPLoader, cache: HTTPCache?, partials: PartialDownloads?) {
    self.http = http
    self.cache = cache
    self.partials = partials
  }

  package enum Outcome: Sendable {
    case body(SourceBody)
    /// The server says that the source has not changed; only header fields were transferred.
    case unchanged
    /// The server could not be asked, and the cache allows a stale response in that case.
    case unchangedAsFarAsKnown
  }

  /// - Parameter known: the version that the caller has; its body is only fetched if it has changed.
  package func load(
    _ request: HTTPRequest, unless known: HTTPKnownVersion? = nil
  ) async throws(RunFailure) -> Outcome {
    var request = request
    request.cacheName = HTTPCache.name(of: request)
    do throws(HTTPFailure) {
      guard let cache else { return .body(SourceBody(try await download(request))) }
      guard let known else { return .body(SourceBody(try await cache.load(request, fetch: download))) }
      return try await cache.revalidate(request, known, fetch: download)
    } catch {
      throw RunFailure(error)
    }
  }

  /// The source for a caller that has its bytes from an earlier run; nil where it is not known if they are still right.
  package func load(
    _ request: HTTPRequest, having body: SourceBody
  ) async throws(RunFailure) -> SourceBody? {
    guard let cache else { return nil }
    var current = body
    current.isFromHTTPCache = true
    if let version = cache.version(for: request), version.isFresh, version.digest == body.digest {
      return current
    }
    let known = HTTPKnownVersion(digest: body.digest, etag: body.etag, lastModified: body.lastModified)
    switch try await load(request, unless: known) {
    case .body(let changed): return changed
    case .unchanged: return current
    case .unchangedAsFarAsKnown:
      current.note = SourceBody.staleNote
      return current
    }
  }

  /// A source that needs no network: a file, or the bytes in a `data:` URL.
  ///
  /// - Parameter roots: the folders that the job may read from, where it may not read everything.
  package static func read(
    local url: String, isFile: Bool, maxBytes: Int, within roots: TrustedRoots? = nil
  ) throws(RunFailure) -> SourceBody {
    let (bytes, stamp) =
      isFile
      ? try LocalFile.read(url: url, maxBytes: maxBytes, within: roots)
      : (try DataURL.decode(url, maxBytes: maxBytes), nil)
    return SourceBody(bytes: bytes, digest: ContentDigest.sha256(bytes), etag: stamp)
  }

  private func download(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
    guard let partials else { return try await http.load(request) }
    return try await partials.load(request, through: http)
  }

  /// Past the HTTP cache, which keeps no parts of files.
  package func loadPart(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
    try await http.load(request)
  }
}

extension RunFailure {
  package init(_ failure: HTTPFailure) {
    self.init(
      step: .fetch, code: failure.code.rawValue, message: failure.message, isRetryable: failure.isRetryable,
      cause: failure.cause)
  }
}
