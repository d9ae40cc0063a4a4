import Concurrency
import FileStore
import Foundation

/// A private HTTP cache on disk (RFC 9111): fresh responses are answered without the network, stale responses
/// are revalidated with a condition, and a 304 makes them fresh again.
///
/// Only whole answers to plain GETs are kept: status 200, not redirected, of a length that was announced.
/// Answers to different credentials are kept apart, and neither URLs nor header values of requests reach the
/// disk, only their digests. It never gives a stale answer for one that could not be had, unless it was
/// made so or the request's ``HTTPCachePolicy`` says so. Any number of processes may share a folder.
public final class HTTPCache: Sendable {
  /// How long the fields of a response are kept after its body was evicted.
  private static let memory: Int64 = 180 * 86_400

  let store: ResponseStore
  let now: @Sendable () -> Int64
  let staleIfError: Int64
  /// Responses from before this moment are stale.
  private let freshSince: Int64
  /// Names of answers of the second in which this began; others of that second are from before.
  private let early = Locked<Set<String>>([])
  private let accepts: @Sendable (HTTPResponse) -> Bool

  /// - Parameters:
  ///   - folder: created if it is not there; all files in it are the cache's.
  ///   - diskCapacity: bytes on disk above which the least recently used bodies are removed; as much as Nuke gives its
  ///     `URLCache` by default.
  ///   - staleIfError: seconds for which a stale answer may stand in for one that could not be had
  ///     (RFC 5861, section 4); none by default.
  ///   - revalidatesAll: whether every response from before is stale, whatever it said.
  ///   - isShared: false where a lock of the caller's keeps other processes out.
  ///   - accepts: whether an answer is worth keeping at all.
  ///   - now: seconds since 1970, by which ages are counted.
  /// - Throws: `FileStoreError` if the folder cannot be created or listed, or its index not be opened.
  public init(
    folder: URL, diskCapacity: Int = 150 << 20, staleIfError: Int64 = 0, revalidatesAll: Bool = false,
    isShared: Bool = true, accepts: @escaping @Sendable (HTTPResponse) -> Bool = { _ in true },
    // fits: a clock.
    now: @escaping @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970) }
  ) throws(FileStoreError) {
    store = try ResponseStore(folder: folder, capacity: diskCapacity, isShared: isShared)
    self.staleIfError = max(0, staleIfError)
    freshSince = revalidatesAll ? now() : .min
    self.accepts = accepts
    self.now = now
    store.forget(before: now() - Self.memory)
  }

  /// The last call: what waits is written.
  package func close() { store.close() }

  /// The message about a damaged index that was in the folder; nil where there was none.
  package var damagedIndex: String? { store.damaged?.message }

  /// Lowering it removes at once what no longer fits.
  public var diskCapacity: Int {
    get { store.capacity }
    set { store.capacity = newValue }
  }

  /// Bytes that bodies take on disk.
  public var currentDiskUsage: Int { store.usage }

  /// The stored response for a request, however old it is.
  public func cachedResponse(for request: HTTPRequest) -> HTTPResponse? {
    stored(for: request).map { Self.response($0.response, $0.body, from: .cache) }
  }

  /// Forgets the answer to a request.
  public func removeCachedResponse(for request: HTTPRequest) { store.remove(Self.name(of: request)) }

  /// Forgets all answers.
  public func removeAllCachedResponses() { store.removeAll() }

  /// The version that was last seen at a request's URL, and whether it is fresh.
  package func version(for request: HTTPRequest) -> HTTPVersion? {
    let name = Self.name(of: request)
    guard let version = store.version(name) else { return nil }
    // Only where answers vary, or the request has a word in it, does it cost more than one look.
    if version.varies || request.headers.value("Cache-Control") != nil {
      guard let head = store.head(name), head.matches(request) else { return nil }
      var request = request
      request.cachePolicy = .useProtocol
      return HTTPVersion(digest: head.bodyDigest, isFresh: isUsable(head, for: request))
    }
    let now = now()
    // A clock that went back says nothing about ages.
    let isFresh =
      version.responseTime <= max(now, freshSince) && isSinceStart(version.responseTime, name)
      && now < version.freshUntil
    return HTTPVersion(digest: version.digest, isFresh: isFresh)
  }

  // MARK: Storing

  /// Stores an answer, or forgets the one before it, which it has replaced in any case.
  ///
  /// - Returns: the answer, with its digest where that was worked out.
  func keep(_ answer: HTTPResponse, for request: HTTPRequest, since requestTime: Int64)
    -> HTTPResponse
  {
    let name = Self.name(of: request)
    guard Self.isStorable(answer, to: request), accepts(answer) else {
      store.remove(name)
      return answer
    }
    let stored = StoredResponse(answer, to: request, requestTime: requestTime, responseTime: now())
    note(stored, name)
    if stored.isUseful {
      store.write(stored, body: request.isBodyKeptElsewhere ? nil : answer.body, as: name)
    } else {
      store.remove(name)
    }
    var answer = answer
    answer.bodyDigest = stored.bodyDigest
    return answer
  }

  func stored(for request: HTTPRequest) -> (response: StoredResponse, body: [UInt8])? {
    store.read(Self.name(of: request)).flatMap { $0.response.matches(request) ? $0 : nil }
  }

  func isUsable(_ stored: StoredResponse, for request: HTTPRequest) -> Bool {
    guard request.cachePolicy == .useProtocol else { return true }
    let asked = CacheControl(request.headers.list("Cache-Control"))
    if asked.noCache { return false }
    if let oldest = asked.maxAge, stored.age(at: now()) >= oldest { return false }
    return isSinceStart(stored.responseTime, Self.name(of: request)) && stored.isFresh(at: now())
  }

  private func isSinceStart(_ responseTime: Int64, _ name: String) -> Bool {
    responseTime > freshSince || responseTime == freshSince && early.withLock { $0.contains(name) }
  }

  /// Marks an answer as one of this run.
  func note(_ response: StoredResponse, _ name: String) {
    if response.responseTime == freshSince { early.withLock { _ = $0.insert(name) } }
  }

  /// Whether a stale response may be given because of a failure.
  func mayStandIn(_ stored: StoredResponse, for failure: HTTPFailure) -> Bool {
    guard staleIfError > 0, failure.isTheOrigins else { return false }
    let control = CacheControl(stored.fields.list("Cache-Control"))
    guard !control.mustRevalidate, !control.noCache else { return false }
    let (limit, overflows) = stored.lifetime().addingReportingOverflow(staleIfError)
    return overflows || stored.age(at: now()) < limit
  }
}

extension HTTPFailure {
  /// The server or the way to it failed, as RFC 5861 means it; refusals of our own do not count.
  fileprivate var isTheOrigins: Bool {
    switch code {
    case .status: isRetryable
    case .resolve, .connect, .timeout, .stalled, .network, .truncated: true
    default: false
    }
  }
}
