import Concurrency
import Foundation
import TestSupport
import Testing

@testable import Fetching

@Suite("Loading", .timeLimit(.minutes(10)))
struct LoadingTests {
  private let server: FaultServer
  private let tally: TransferTally
  private let loader: HTTPLoader

  init() throws {
    let tally = TransferTally()
    self.tally = tally
    server = try .shared()
    loader = HTTPLoader.test { $0.signposts = tally.signposts }
  }

  @Test func aBodyComesWholeWithItsFields() async throws {
    let target = "/ok?size=100000&type=image/png&etag=%22x%22&last-modified=Tue"
    let response = try await loader.load(server.url(target))
    #expect(response.status == 200)
    #expect(response.body == plainBody(100_000))
    #expect(response.contentType == "image/png")
    #expect(response.etag == "\"x\"")
    #expect(response.lastModified == "Tue")
    #expect(!response.isLengthUnverified)
    #expect(response.retries == 0)
  }

  @Test func aLargeBodyComesWhole() async throws {
    let response = try await loader.load(server.url("/ok?size=20000000"))
    #expect(response.body == plainBody(20_000_000))
  }

  @Test func manyLoadsShareConnectionsAndKeepToTheirPlaces() async throws {
    let server = try FaultServer()
    let urls = (0..<60).map { server.url("/ok?size=\($0 + 1)&delay=0.005") }
    try await withThrowingTaskGroup(of: (Int, Int).self) { group in
      for (index, url) in urls.enumerated() {
        group.addTask {
          // Bound first: Swift 6.3, optimising, loses what stands before an `await` in a task's tuple.
          let count = try await loader.load(url).body.count
          return (index + 1, count)
        }
      }
      for try await (expected, count) in group { #expect(count == expected) }
    }
    let stats = try server.stats()
    #expect(stats.peak <= 6)
    #expect(stats.connections <= 6)
    #expect(tally.counts.transfers == 60)
    #expect(tally.counts.connectionsOpened == stats.connections)
    #expect(tally.counts.bytesOnWire > (1...60).reduce(0, +))
    #expect(tally.counts.retries == 0)
  }

  @Test func theRequestIsPlainAndCarriesItsFields() async throws {
    let request = HTTPRequest(server.url("/headers-echo"), ["Authorization": "Bearer x", "X-Empty": ""])
    let body = try await loader.load(request).body
    let lines = String(decoding: body, as: UTF8.self).split(separator: "\n").map(String.init).sorted()
    #expect(
      lines == [
        "Accept-Encoding: identity", "Accept: */*", "Authorization: Bearer x",
        "Host: 127.0.0.1:\(server.port)", "User-Agent: preheat", "X-Empty:",
      ])
  }

  @Test func chunkedAndCodedBodiesAreDecoded() async throws {
    let chunked = try await loader.load(server.url("/chunked?size=70000"))
    #expect(chunked.body == plainBody(70_000))
    #expect(!chunked.isLengthUnverified)
    let coded = try await loader.load(server.url("/gzip?size=70000"))
    #expect(coded.body == plainBody(70_000))
    for target in ["/deflate", "/deflate?bare=1", "/gzip-parts", "/gzip-parts?rest=padding", "/gzip?less=8"] {
      #expect(try await loader.load(server.url(target)).body == plainBody(1000), "\(target)")
    }
    for target in ["/zstd?size=200", "/brotli"] {
      let failure = await loader.failure(server.url(target))
      #expect(failure?.message.contains("content coding that was not asked for") == true)
    }
  }

  /// S3 has blank fields and words that name no coding on objects that were uploaded as streams.
  @Test(arguments: [
    "", "%20", "%09%20", "utf-8", "binary", "base64", "none", "aws-chunked", "aws-chunked,gzip",
    "gzip;q=1,x", "identity,%20UTF-8", "zstd",
  ])
  func aCodingThatIsNoneIsIgnored(word: String) async throws {
    #expect(try await loader.load(server.url("/fields?Content-Encoding=\(word)")).body == plainBody(100))
  }

  @Test func aBlankFieldIsAnAbsentOne() async throws {
    let names = ["ETag", "Last-Modified", "Content-Type", "Cache-Control", "Vary", "Retry-After", "Location"]
    for blank in ["", "%20", "%09"] {
      let query = names.map { "\($0)=\(blank)" }.joined(separator: "&")
      let response = try await loader.load(server.url("/fields?\(query)&X-Padded=%20a%20b%20%09"))
      #expect(Set(response.fields.map(\.name)) == ["Content-Length", "Date", "X-Padded"])
      #expect(response.fields.value("X-Padded") == "a b")
    }
  }

  @Test func aPartThatHoldsTheWholeIsTheWhole() async throws {
    let response = try await loader.load(server.url("/partial?total=100"))
    #expect(response.status == 200 && response.body == plainBody(100))
  }

  @Test func aServerAtAnIPv6AddressIsRead() async throws {
    guard let server = try? FaultServer(host: "::1") else { return }  // no IPv6 on this machine
    let loader = HTTPLoader.test { $0.allowPrivate = ["::1"] }
    #expect(try await loader.load(server.url("/ok?size=70000")).body == plainBody(70_000))
    #expect(await self.loader.failure(server.url("/ok"))?.code == .privateAddress)
  }

  @Test func aBodyWithoutAnEndOfItsOwnIsMarked() async throws {
    let open = try await loader.load(server.url("/close-delimited?size=5000"))
    #expect(open.body == plainBody(5000))
    #expect(open.isLengthUnverified)
    let long = try await loader.load(server.url("/too-long?size=5000&extra=7"))
    #expect(long.body == plainBody(5000))
    #expect(long.isLengthUnverified)
  }

  @Test(arguments: [("", true), ("&cut=4999", false), ("&gzip", true), ("&gzip&cut=200", false)])
  func aBodyThatEndsWithItsConnectionIsWholeByItsForm(query: String, isWhole: Bool) async throws {
    let loader = HTTPLoader.test { $0.mayBeCut = { $0.count < 5000 && !$0.starts(with: [0x1F, 0x8B]) } }
    let failure = await loader.failure(server.url("/close-delimited?size=5000\(query)"))
    #expect(failure?.code == (isWhole ? nil : .truncated))
    #expect(await loader.failure(server.url("/ok?size=10")) == nil)
    #expect(await loader.failure(server.url("/chunked?size=10")) == nil)
  }

  private func part(_ fields: [(String, String)], status: Int = 200, length: Int64? = 10) -> CutBody? {
    CutBody(
      status: status, count: 3, announcedLength: length,
      fields: fields.map { HTTPHeader(name: $0.0, value: $0.1) })
  }

  @Test func aPartIsKeptOnlyIfTheServerCanGoOnFromIt() {
    let tag = ("ETag", "\"1\"")
    let date = ("Last-Modified", "Tue, 31 Dec 2024 23:59:00 GMT")
    let now = ("Date", "Wed, 01 Jan 2025 00:00:00 GMT")
    let ranges = ("Accept-Ranges", "Bytes")
    #expect(part([ranges, tag, date])?.validator == "\"1\"")
    #expect(part([ranges, date, now])?.validator == date.1)
    #expect(part([ranges, ("ETag", "W/\"1\""), date, now])?.validator == date.1)
    #expect(part([ranges, ("ETag", "W/\"1\""), date]) == nil)
    #expect(part([ranges]) == nil)
    #expect(part([tag]) == nil)
    #expect(part([("Accept-Ranges", "none"), tag]) == nil)
    #expect(part([ranges, tag], length: nil) == nil)
    #expect(part([ranges, tag], length: 3) == nil)
    #expect(part([ranges, tag, ("Content-Encoding", "gzip")]) == nil)
    #expect(part([ranges, tag], status: 404) == nil)
    #expect(part([tag, ("Content-Range", "bytes 5-14/15")], status: 206)?.first == 5)
    #expect(part([tag], status: 206) == nil)
  }

  @Test func aBodyThatBrokeOffWithoutAValidatorLeavesNoPart() async {
    let failure = await loader.failure(server.url("/trunc?size=1000&cut=500"))
    #expect(failure?.code == .truncated)
    #expect(failure?.cutBody == nil)
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
  }

  @Test func theFieldsOfAnAnswerComeInTheirOrder() async throws {
    let response = try await loader.load(server.url("/ok?etag=%22x%22"))
    #expect(response.fields.value("etag") == "\"x\"")
    #expect(response.fields.value("Content-Type") == "image/jpeg")
    #expect(response.redirects == 0)
    #expect(try await loader.load(server.url("/redirect/2")).redirects == 2)
  }
}
