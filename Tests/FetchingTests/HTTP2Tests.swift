import Foundation
import TestSupport
import Testing

@testable import Fetching

@Suite("HTTP/2", .timeLimit(.minutes(10)), .enabled(if: NginxServer.isInstalled && hasOpenSSL))
struct HTTP2Tests {
  private let folder: TemporaryFolder
  private let server: NginxServer
  private let tally = TransferTally()
  private let configuration: HTTPConfiguration

  init() throws {
    folder = try TemporaryFolder()
    for (name, size) in [("a.jpg", 60_000), ("b.jpg", 40_000), ("empty.jpg", 0)] {
      try Data(plainBody(size)).write(to: folder.file(name))
    }
    let authority = try FaultServer.shared(tls: .good)
    server = try NginxServer(serving: folder.url, authority: authority)
    configuration = HTTPConfiguration.test.with { [tally] in
      ($0.caFile, $0.signposts, $0.retries) = (authority.caFile, tally.signposts, 5)
    }
  }

  @Test func aHundredFilesComeOverOneConnection() async throws {
    let (loader, base) = (HTTPLoader(configuration: configuration), server.baseURL)
    _ = try await loader.load(base + "/a.jpg")
    let opened = tally.counts.connectionsOpened
    try await withThrowingTaskGroup(of: HTTPResponse.self) { group in
      for index in 0..<100 { group.addTask { try await loader.load(base + "/a.jpg?\(index)") } }
      for try await response in group {
        #expect(response.body == plainBody(60_000))
        #expect(!response.isLengthUnverified)
      }
    }
    // One more where the kept connection was not at rest yet when they came.
    #expect(tally.counts.connectionsOpened <= opened + 1)
    #expect(await loader.failure(base + "/none.jpg")?.status == 404)
    #expect(await loader.failure(base + "/empty.jpg")?.code == .empty)
  }

  @Test func transfersOfAHostThatSharesItsConnectionRunBesideEachOther() async throws {
    let loader = HTTPLoader(
      configuration: configuration.with { ($0.maxConcurrentPerHost, $0.maxStreamsPerHost) = (1, 8) })
    _ = try await loader.load(server.baseURL + "/a.jpg")
    #expect(tally.counts.mostAtOnce == 1)
    try await withThrowingTaskGroup(of: HTTPResponse.self) { [server] group in
      for index in 0..<8 { group.addTask { try await loader.load(server.baseURL + "/slow/b.jpg?\(index)") } }
      for try await response in group { #expect(response.body.count == 40_000) }
    }
    #expect(tally.counts.mostAtOnce == 8)
  }
}
