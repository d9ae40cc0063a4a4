import CacheCore
import Foundation

/// A private HTTP cache on disk (RFC 9111): what is fresh is answered without the network, what is stale is
/// asked about with a condition, and a 304 makes it fresh again.
///
/// Only whole answers to plain GETs are kept: status 200, not redirected, of a length that was announced.
/// Answers to different credentials are kept apart. It never gives a stale answer for one that could not
/// be had, unless the request's ``HTTPCachePolicy`` says so. Any number of processes may share a folder.
public final class HTTPCache: Sendable {
  /// 150 MiB, as Nuke gives its `URLCache`.
  public static let defaultDiskCapacity = 150 << 20

  private let store: ResponseStore
  private let now: @Sendable () -> Int64

  /// - Parameters:
  ///   - folder: created if it is not there; all files in it are the cache's.
  ///   - diskCapacity: bytes on disk above which the least recently used answers are removed.
  /// - Throws: `FileStoreError` if the folder cannot be created or listed.
  public convenience init(
    folder: URL, diskCapacity: Int = HTTPCache.defaultDiskCapacity
  ) throws(FileStoreError) {
    try self.init(folder: folder, diskCapacity: diskCapacity) { HTTPDate.now }
  }

  /// - Parameter now: seconds since 1970.
  init(folder: URL, diskCapacity: Int, now: @escaping @Sendable () -> Int64) throws(FileStoreError) {
    store = try ResponseStore(folder: folder, capacity: diskCapacity)
    self.now = now
  }

  /// Lowering it removes at once what no longer fits.
  public var diskCapacity: Int {
    get { store.capacity }
    set { store.capacity = newValue }
  }

  /// Bytes on disk.
  public var currentDiskUsage: Int { store.usage }

  /// What is stored for a request, however old it is.
  public func cachedResponse(for request: HTTPRequest) -> HTTPResponse? {
    stored(for: request).map { Self.response($0.response, $0.body, from: .cache) }
  }

  public func removeCachedResponse(for request: HTTPRequest) {
    store.remove(Self.name(of: request))
  }

  public func removeAllCachedResponses() {
    store.removeAll()
  }

  /// Answers from the cache or through a loader, whichever the request's policy and the fields of what is
  /// stored ask for.
  ///
  /// - Throws: `HTTPFailure` from the loader, or with the code `fetch.not-cached`.
  public func load(
    _ request: HTTPRequest, through loader: HTTPLoader, progress: HTTPProgress.Handler? = nil
  ) async throws(HTTPFailure) -> HTTPResponse {
    try await load(request) { (request) async throws(HTTPFailure) in
      try await loader.load(request, progress: progress)
    }
  }

  func load(
    _ request: HTTPRequest,
    fetch: (HTTPRequest) async throws(HTTPFailure) -> HTTPResponse
  ) async throws(HTTPFailure) -> HTTPResponse {
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
    guard !found.response.conditions.isEmpty else { return try await fetchAndStore(request, fetch) }
    return try await validate(found.response, found.body, for: request, fetch)
  }

  private func validate(
    _ stored: StoredResponse, _ body: [UInt8], for request: HTTPRequest,
    _ fetch: (HTTPRequest) async throws(HTTPFailure) -> HTTPResponse
  ) async throws(HTTPFailure) -> HTTPResponse {
    var conditional = request
    conditional.headers += stored.conditions
    let requestTime = now()
    let answer = try await fetch(conditional)
    guard answer.status == 304 else {
      keep(answer, for: request, since: requestTime)
      return answer
    }
    guard stored.isValidated(by: answer) else { return try await fetchAndStore(request, fetch) }
    let renewed = stored.updated(by: answer, requestTime: requestTime, responseTime: now())
    store.write(renewed, body: body, as: Self.name(of: request))
    return Self.response(renewed, body, from: .validatedCache)
  }

  private func fetchAndStore(
    _ request: HTTPRequest, _ fetch: (HTTPRequest) async throws(HTTPFailure) -> HTTPResponse
  ) async throws(HTTPFailure) -> HTTPResponse {
    let requestTime = now()
    let answer = try await fetch(request)
    keep(answer, for: request, since: requestTime)
    return answer
  }

  /// Stores an answer, or forgets the one before it, which it has replaced in any case.
  private func keep(_ answer: HTTPResponse, for request: HTTPRequest, since requestTime: Int64) {
    let name = Self.name(of: request)
    let stored = StoredResponse(answer, to: request, requestTime: requestTime, responseTime: now())
    if Self.isStorable(answer, to: request), stored.isUseful {
      store.write(stored, body: answer.body, as: name)
    } else {
      store.remove(name)
    }
  }

  private func stored(for request: HTTPRequest) -> (response: StoredResponse, body: [UInt8])? {
    store.read(Self.name(of: request)).flatMap { $0.response.matches(request) ? $0 : nil }
  }

  private func isUsable(_ stored: StoredResponse, for request: HTTPRequest) -> Bool {
    guard request.cachePolicy == .useProtocol else { return true }
    let asked = CacheControl(request.headers.list("Cache-Control"))
    if asked.noCache { return false }
    if let oldest = asked.maxAge, stored.age(at: now()) >= oldest { return false }
    return stored.isFresh(at: now())
  }
}
