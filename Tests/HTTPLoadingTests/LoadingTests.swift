import HTTPLoading
import TestSupport
import Testing

@Suite("Loading", .timeLimit(.minutes(1)))
struct LoadingTests {
  private let server: FaultServer
  private let loader = HTTPLoader(configuration: .test)

  init() throws { server = try FaultServer() }

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
}
