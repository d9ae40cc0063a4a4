import Concurrency
import Foundation
import TestSupport
import Testing

@testable import Fetching

@Suite("Partial bodies, conditions and progress", .timeLimit(.minutes(10)))
struct PartialBodyTests {
  private let server: FaultServer
  private let loader = HTTPLoader(configuration: .test)

  init() throws { server = try FaultServer.shared() }

  private func part(_ fields: [(String, String)], status: Int = 200, length: Int64? = 10) -> HTTPPartialBody?
  {
    HTTPPartialBody(
      status: status, count: 3, announcedLength: length,
      fields: fields.map { HTTPHeader(name: $0.0, value: $0.1) }, bytes: { [1, 2, 3] })
  }

  @Test func aPartIsKeptOnlyIfTheServerCanGoOnFromIt() {
    let tag = ("ETag", "\"1\"")
    let date = ("Last-Modified", "Tue")
    let ranges = ("Accept-Ranges", "Bytes")
    #expect(part([ranges, tag, date])?.validator == "\"1\"")
    #expect(part([ranges, date])?.validator == "Tue")
    #expect(part([ranges, ("ETag", "W/\"1\""), date])?.validator == "Tue")
    #expect(part([ranges, ("ETag", "W/\"1\"")]) == nil)
    #expect(part([ranges]) == nil)
    #expect(part([tag]) == nil)
    #expect(part([("Accept-Ranges", "none"), tag]) == nil)
    #expect(part([ranges, tag], length: nil) == nil)
    #expect(part([ranges, tag], length: 3) == nil)
    #expect(part([ranges, tag, ("Content-Encoding", "gzip")]) == nil)
    #expect(part([ranges, tag], status: 404) == nil)
    #expect(part([tag, ("Content-Range", "bytes 5-14/15")], status: 206)?.offset == 5)
    #expect(part([tag], status: 206) == nil)
  }

  @Test func aBodyThatBrokeOffWithoutAValidatorLeavesNoPart() async {
    let failure = await loader.failure(server.url("/trunc?size=1000&cut=500"))
    #expect(failure?.code == .truncated)
    #expect(failure?.partialBody == nil)
  }

  @Test func notModifiedIsAnAnswerToAConditionOnly() async throws {
    let folder = try TemporaryFolder()
    try Data([1, 2, 3]).write(to: folder.file("a"))
    let files = try FaultServer(files: folder.url)
    let whole = try await loader.load(files.url("/file/a"))
    let tag = try #require(whole.etag)
    let request = HTTPRequest(
      url: files.url("/file/a"), headers: [HTTPHeader(name: "If-None-Match", value: tag)])
    let response = try await loader.load(request)
    #expect(response.status == 304)
    #expect(response.body.isEmpty)
    // Unasked it is none.
    #expect(await loader.failure(server.url("/status/304"))?.status == 304)
  }

  @Test func progressEndsWithTheWholeBody() async throws {
    let seen = Locked<[HTTPProgress]>([])
    let request = HTTPRequest(url: server.url("/ok?size=3000000"))
    _ = try await loader.load(request) { progress in seen.withLock { $0.append(progress) } }
    let progress = seen.withLock { $0 }
    #expect(progress.last == HTTPProgress(received: 3_000_000, total: 3_000_000))
    #expect(zip(progress, progress.dropFirst()).allSatisfy { $0.received < $1.received })
  }

  @Test func theFieldsOfAnAnswerComeInTheirOrder() async throws {
    let response = try await loader.load(server.url("/ok?etag=%22x%22"))
    #expect(response.fields.value("etag") == "\"x\"")
    #expect(response.fields.value("Content-Type") == "image/jpeg")
    #expect(response.redirects == 0)
    #expect(try await loader.load(server.url("/redirect/2")).redirects == 2)
  }
}
