import TestSupport
import Testing

@testable import Fetching

/// For those who keep what they made of a body, and not the body.
@Suite("HTTP cache, revalidation", .timeLimit(.minutes(10)))
struct RevalidationTests {
  private let folder = TemporaryFolder.new
  private let server = PlayedServer()

  private func cache(staleIfError: Int64 = 0, capacity: Int = 1 << 20, asksAlways: Bool = false) throws
    -> HTTPCache
  {
    try HTTPCache(
      folder: folder.url, diskCapacity: capacity, staleIfError: staleIfError, revalidatesAll: asksAlways,
      now: server.now)
  }

  private let request = HTTPRequest(url: "http://h/a")

  /// A run that asks always asks once of each.
  @Test(arguments: [0, 10]) func whatIsFreshIsAskedForAllTheSameOncePerRun(later: Int64) async throws {
    _ = try await load(cache(), answer(["Cache-Control": "max-age=3600, immutable", "ETag": "\"a\""]))
    server.advance(later)
    let always = try cache(asksAlways: true)
    #expect(try cache().version(for: request)?.isFresh == true)
    #expect(always.version(for: request)?.isFresh == false)
    let asked = try await load(always, answer(["ETag": "\"a\""], status: 304))
    #expect(asked.source == .validatedCache && asked.body == [1, 2, 3])
    #expect(always.version(for: request)?.isFresh == true)
    #expect(try await load(always, answer([:], status: 500)).source == .cache)
  }

  private func answer(
    _ fields: [String: String], status: Int = 200, body: [UInt8] = [1, 2, 3], redirects: Int = 0
  ) -> HTTPResponse {
    HTTPResponse(
      status: status, body: status == 304 ? [] : body,
      fields: fields.map { HTTPHeader(name: $0.key, value: $0.value) }, redirects: redirects)
  }

  private func load(_ cache: HTTPCache, _ answer: HTTPResponse) async throws -> HTTPResponse {
    server.give([answer])
    return try await cache.load(request) { [server] (request) throws(HTTPFailure) in
      try server.fetch(request)
    }
  }

  private func ask(
    _ cache: HTTPCache, _ known: HTTPKnownVersion, _ answers: HTTPResponse...
  ) async throws -> SourceLoader.Outcome {
    server.give(answers, repeatsLast: false)
    return try await cache.revalidate(request, known) { [server] (request) throws(HTTPFailure) in
      try server.fetch(request)
    }
  }

  private func isUnchanged(_ revalidation: SourceLoader.Outcome) -> Bool {
    if case .unchanged = revalidation { true } else { false }
  }

  @Test func aVersionIsFreshAsLongAsItsResponseSays() async throws {
    let cache = try cache()
    let digest = try await load(cache, answer(["Cache-Control": "max-age=60"])).bodyDigest
    #expect(cache.version(for: request) == HTTPVersion(digest: try #require(digest), isFresh: true))
    server.advance(60)
    #expect(cache.version(for: request)?.isFresh == false)
    server.advance(-61)
    #expect(cache.version(for: request)?.isFresh == false)
    #expect(cache.version(for: HTTPRequest(url: "http://h/b")) == nil)
  }

  /// Earlier releases kept blank fields as libcurl had them.
  @Test func blankValidatorsOfEarlierRunsAreNotSent() async throws {
    let cache = try cache()
    let known = HTTPKnownVersion(digest: "0", etag: "\r", lastModified: " \r")
    _ = try await ask(cache, known, answer(["Cache-Control": "max-age=60"]))
    #expect(server.lastHeaders.isEmpty)
    let stored = StoredResponse(
      fields: "ETag:\r\nLast-Modified: \r\nVary:\nAge:1\r", varying: "", requestTime: 1, responseTime: 2,
      bodySize: 3, bodyDigest: "0")
    #expect(stored.conditions.isEmpty)
    #expect(stored.fields == [HTTPHeader(name: "Age", value: "1")])
    let odd = HTTPKnownVersion(digest: "0", etag: "a\rb")
    _ = try await ask(cache, odd, answer([:]), answer(["Cache-Control": "max-age=60"]))
    #expect(server.lastHeaders.isEmpty)
  }

  @Test func aVersionThatVariesIsOnlyForItsRequests() async throws {
    let cache = try cache()
    _ = try await load(cache, answer(["Cache-Control": "max-age=60", "Vary": "Accept"]))
    #expect(cache.version(for: request) != nil)
    let other = HTTPRequest(url: "http://h/a", headers: [HTTPHeader(name: "Accept", value: "image/png")])
    #expect(cache.version(for: other) == nil)
  }

  @Test func aRequestThatWantsToBeSureGetsNoFreshVersion() async throws {
    let cache = try cache()
    _ = try await load(cache, answer(["Cache-Control": "max-age=60"]))
    let sure = HTTPRequest(url: "http://h/a", headers: [HTTPHeader(name: "Cache-Control", value: "no-cache")])
    #expect(cache.version(for: sure)?.isFresh == false)
  }

  @Test func validatorsOutliveTheirBody() async throws {
    let cache = try cache()
    let digest = try #require(try await load(cache, answer(["ETag": "\"1\""])).bodyDigest)
    cache.diskCapacity = 0
    #expect(cache.currentDiskUsage == 0)
    #expect(cache.cachedResponse(for: request) == nil)
    let again = try await ask(
      cache, HTTPKnownVersion(digest: digest),
      answer(["ETag": "\"1\"", "Cache-Control": "max-age=9"], status: 304)
    )
    #expect(isUnchanged(again))
    #expect(server.lastHeaders.value("If-None-Match") == "\"1\"")
    #expect(cache.version(for: request) == HTTPVersion(digest: digest, isFresh: true))
  }

  @Test func whatOnlyTheCallerKnowsIsAskedWithAndRememberedFromThenOn() async throws {
    let cache = try cache()
    let known = HTTPKnownVersion(digest: "d", etag: "\"1\"", lastModified: "Sun, 06 Nov 1994 08:00:00 GMT")
    #expect(isUnchanged(try await ask(cache, known, answer(["ETag": "W/\"1\""], status: 304))))
    #expect(server.lastHeaders.value("If-None-Match") == "\"1\"")
    #expect(server.lastHeaders.value("If-Modified-Since") == known.lastModified)
    #expect(cache.version(for: request)?.digest == "d")
  }

  @Test func withoutAValidatorTheBodyIsAskedFor() async throws {
    let cache = try cache()
    let answered = try await ask(cache, HTTPKnownVersion(digest: "d"), answer([:]))
    guard case .body(let body) = answered else {
      Issue.record("nothing could be unchanged")
      return
    }
    #expect(body.bytes == [1, 2, 3])
    #expect(server.lastHeaders.isEmpty)
  }

  @Test(arguments: [("\"2\"", 0), ("\"1\"", 1)])
  func a304ThatIsAboutSomethingElseIsNotBelieved(tag: String, redirects: Int) async throws {
    let cache = try cache()
    let known = HTTPKnownVersion(digest: "d", etag: "\"1\"")
    let answered = try await ask(
      cache, known, answer(["ETag": tag], status: 304, redirects: redirects), answer(["ETag": "\"2\""]))
    #expect(!isUnchanged(answered))
    #expect(server.count == 2)
    #expect(server.lastHeaders.isEmpty)
  }

  @Test func aNewBodyReplacesWhatIsRemembered() async throws {
    let cache = try cache()
    let digest = try #require(try await load(cache, answer(["ETag": "\"1\""])).bodyDigest)
    _ = try await ask(cache, HTTPKnownVersion(digest: digest), answer(["ETag": "\"2\""], body: [9]))
    #expect(cache.cachedResponse(for: request)?.body == [9])
  }

  @Test(
    arguments: [
      ("max-age=1", 100, 50, true), ("max-age=1", 100, 200, false), ("max-age=1", 0, 50, false),
      ("max-age=1, must-revalidate", 100, 50, false), ("no-cache", 100, 50, false),
    ] as [(String, Int64, Int64, Bool)])
  func whatIsStaleStandsInForAFailureOnlyWhereItMay(
    control: String, staleIfError: Int64, later: Int64, may: Bool
  ) async throws {
    let cache = try cache(staleIfError: staleIfError)
    let first = try await load(cache, answer(["Cache-Control": control, "ETag": "\"1\""]))
    server.advance(later)
    let known = HTTPKnownVersion(digest: try #require(first.bodyDigest))
    let again = try? await ask(cache, known)
    if case .unchangedAsFarAsKnown = again { #expect(may) } else { #expect(!may && again == nil) }
    let body = try? await cache.load(request) { (_) throws(HTTPFailure) -> HTTPResponse in
      throw HTTPFailure(.status, "busy", status: 503, isRetryable: true)
    }
    #expect(body?.source == (may ? .staleCache : nil))
    // That it is gone is an answer.
    await #expect(throws: HTTPFailure.self) {
      try await cache.load(request) { (_) throws(HTTPFailure) -> HTTPResponse in
        throw HTTPFailure(.status, "gone", status: 404)
      }
    }
  }

  @Test func whatIsNotAcceptedIsNotKept() async throws {
    let cache = try HTTPCache(folder: folder.url) { $0.body.first == 7 }
    for first in [UInt8(1), 7] {
      _ = try await load(cache, answer(["Cache-Control": "max-age=60"], body: [first]))
      #expect((cache.version(for: request) != nil) == (first == 7))
    }
  }
}
