import Foundation
import TestSupport
import Testing

@testable import Fetching

@Suite("HTTP cache", .timeLimit(.minutes(10)))
struct HTTPCacheTests {
  private let folder: TemporaryFolder
  private let origin = PlayedServer()
  private let cache: HTTPCache

  init() throws {
    folder = try TemporaryFolder()
    cache = try HTTPCache(folder: folder.file("http"), diskCapacity: 1 << 20, now: origin.now)
  }

  private func load(
    _ url: String = "http://h/a", _ headers: [(String, String)] = [], policy: HTTPCachePolicy = .useProtocol
  ) async throws(HTTPFailure) -> HTTPResponse {
    let request = HTTPRequest(
      url: url, headers: headers.map { HTTPHeader(name: $0.0, value: $0.1) }, cachePolicy: policy)
    return try await cache.load(request) { [origin] (request) throws(HTTPFailure) in
      try origin.fetch(request)
    }
  }

  @Test func whatIsFreshIsAnsweredWithoutTheServer() async throws {
    origin.set(200, [7, 8], ["Cache-Control": "max-age=60", "ETag": "\"1\"", "Content-Type": "image/png"])
    #expect(try await load().source == .network)
    origin.advance(59)
    let second = try await load("http://h/a#fragment")
    #expect(second.source == .cache)
    #expect(second.body == [7, 8])
    #expect(second.contentType == "image/png")
    #expect(second.etag == "\"1\"")
    #expect(origin.count == 1)
  }

  @Test func whatIsStaleIsAskedAboutAndA304MakesItFreshAgain() async throws {
    let modified = "Sun, 06 Nov 1994 08:00:00 GMT"
    origin.set(200, [7, 8], ["Cache-Control": "max-age=60", "ETag": "\"1\"", "Last-Modified": modified])
    _ = try await load()
    origin.advance(60)
    origin.set(304, [], ["Cache-Control": "max-age=120", "ETag": "\"1\""])
    let second = try await load()
    #expect(second.source == .validatedCache)
    #expect(second.body == [7, 8])
    #expect(origin.lastHeaders.value("If-None-Match") == "\"1\"")
    #expect(origin.lastHeaders.value("If-Modified-Since") == modified)
    origin.advance(119)
    #expect(try await load().source == .cache)
    #expect(origin.count == 2)
  }

  @Test func whatHasChangedReplacesWhatIsStored() async throws {
    origin.set(200, [1], ["Cache-Control": "max-age=1", "ETag": "\"1\""])
    _ = try await load()
    origin.advance(1)
    origin.set(200, [2], ["Cache-Control": "max-age=60", "ETag": "\"2\""])
    #expect(try await load().body == [2])
    #expect(try await load().source == .cache)
    #expect(cache.cachedResponse(for: HTTPRequest(url: "http://h/a"))?.body == [2])
  }

  @Test func a304OfAnotherVersionIsNotBelieved() async throws {
    origin.set(200, [1], ["Cache-Control": "no-cache", "ETag": "\"1\""])
    _ = try await load()
    origin.set(304, [], ["ETag": "\"2\""])
    _ = try await load()
    #expect(origin.count == 3)
    #expect(origin.lastHeaders.isEmpty)
  }

  @Test(arguments: [
    ["Cache-Control": "no-store, max-age=60"], ["Cache-Control": "max-age=60", "Vary": "*"], [:],
    ["Cache-Control": "max-age=0"],
  ])
  func whatMayNotBeKeptIsNot(fields: [String: String]) async throws {
    origin.set(200, [1], fields)
    _ = try await load()
    #expect(cache.cachedResponse(for: HTTPRequest(url: "http://h/a")) == nil)
    #expect(try await load().source == .network)
  }

  @Test(arguments: [
    HTTPResponse(body: [1], redirects: 1), HTTPResponse(body: [1], isLengthUnverified: true),
    HTTPResponse(status: 206, body: [1]), HTTPResponse(status: 203, body: [1]),
  ])
  func onlyPlainWholeAnswersAreKept(response: HTTPResponse) async throws {
    var response = response
    response.fields = [HTTPHeader(name: "Cache-Control", value: "max-age=60")]
    origin.give([response])
    _ = try await load()
    #expect(cache.currentDiskUsage == 0)
  }

  @Test func answersThatVaryAreKeptForTheRequestThatTheyAnswered() async throws {
    origin.set(200, [1], ["Cache-Control": "max-age=60", "Vary": "Accept-Language, accept"])
    _ = try await load("http://h/a", [("Accept", "image/webp")])
    #expect(try await load("http://h/a", [("Accept", "image/webp")]).source == .cache)
    #expect(try await load("http://h/a", [("Accept", "image/png")]).source == .network)
    #expect(try await load("http://h/a").source == .network)
  }

  @Test func oneUsersAnswerIsNotGivenToAnother() async throws {
    origin.set(200, [1], ["Cache-Control": "private, max-age=60"])
    _ = try await load("http://h/a", [("Authorization", "Bearer one")])
    #expect(try await load("http://h/a", [("Authorization", "Bearer two")]).source == .network)
    #expect(try await load("http://h/a").source == .network)
    #expect(try await load("http://h/a", [("authorization", "Bearer one")]).source == .cache)
  }

  @Test func noSecretIsWrittenToDisk() async throws {
    origin.set(
      200, [1],
      [
        "Cache-Control": "max-age=60", "Vary": "Authorization", "Set-Cookie": "sid=S3CRET",
        "Content-Location": "/a?token=S3CRET",
      ])
    _ = try await load("http://h/a?token=S3CRET", [("Authorization", "S3CRET")])
    #expect(cache.currentDiskUsage > 0)
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.file("http").path)
    #expect(names.count >= 3)
    for name in names {
      #expect(!name.contains("S3CRET"))
      let data = (try? Data(contentsOf: folder.file("http/" + name))) ?? Data()
      #expect(data.range(of: Data("S3CRET".utf8)) == nil, "\(name)")
    }
  }

  @Test(arguments: [
    (HTTPCachePolicy.reloadIgnoringCache, HTTPResponse.Source?.some(.network)),
    (.returnCacheDontLoad, .cache), (.useProtocol, .network),
  ])
  func thePolicyDecidesWhoAnswers(policy: HTTPCachePolicy, source: HTTPResponse.Source?) async throws {
    origin.set(200, [1], ["Cache-Control": "max-age=1", "ETag": "\"1\""])
    _ = try await load()
    origin.advance(100)
    #expect(try await load(policy: policy).source == source)
  }

  @Test func dontLoadFailsWhereNothingIsStored() async throws {
    let failure = await #expect(throws: HTTPFailure.self) { try await load(policy: .returnCacheDontLoad) }
    #expect(failure?.code == .notCached)
    #expect(origin.count == 0)
  }

  @Test func aStaleAnswerIsNoSubstituteForOneThatCannotBeHad() async throws {
    origin.set(200, [1], ["Cache-Control": "max-age=1", "ETag": "\"1\""])
    _ = try await load()
    origin.advance(1)
    origin.give([])
    await #expect(throws: HTTPFailure.self) { try await load() }
    #expect(try await load(policy: .returnCacheDontLoad).body == [1])
  }

  @Test func theRequestMayAskForMore() async throws {
    origin.set(200, [1], ["Cache-Control": "max-age=60"])
    _ = try await load()
    #expect(try await load("http://h/a", [("Cache-Control", "no-cache")]).source == .network)
    origin.advance(10)
    #expect(try await load("http://h/a", [("Cache-Control", "max-age=10")]).source == .network)
    #expect(try await load("http://h/a", [("Range", "bytes=0-")]).source == .network)
  }
}
