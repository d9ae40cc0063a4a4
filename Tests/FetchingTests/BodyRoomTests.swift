import TestSupport
import Testing

@testable import Fetching

@Suite("Room for bodies", .timeLimit(.minutes(10)))
struct BodyRoomTests {
  private let server: FaultServer

  init() throws { server = try .shared() }

  private func loader(_ room: CountedRoom, allowance: Int = 1000) -> HTTPLoader {
    .test { ($0.bodyRoom, $0.bodyAllowance) = (room, allowance) }
  }

  @Test(arguments: [
    "/ok?size=900000", "/chunked?size=900000", "/close-delimited?size=900000", "/gzip?size=900000",
  ])
  func pausedBodiesComeWholeAndStayWithinTheirRoom(target: String) async throws {
    let room = CountedRoom(2_000_000)
    let loader = loader(room)
    await withTaskGroup(of: [UInt8]?.self) { group in
      for _ in 0..<12 { group.addTask { try? await loader.load(server.url(target)).body } }
      for await body in group { #expect(body == plainBody(900_000)) }
    }
    #expect(room.free == 2_000_000)
    // Where no length is known all may pause half-way; then the oldest has to go on beyond.
    #expect(room.most > 0 && room.most <= (target.hasPrefix("/ok") ? 2_000_000 : 3_800_000))
  }

  @Test func oneGoesOnEvenWhereThereIsNoRoomForAny() async throws {
    let room = CountedRoom(0)
    let loader = loader(room)
    await withTaskGroup(of: [UInt8]?.self) { group in
      for _ in 0..<6 { group.addTask { try? await loader.load(server.url("/ok?size=300000")).body } }
      for await body in group { #expect(body == plainBody(300_000)) }
    }
    #expect(room.free == 0)
    #expect(room.most <= 300_000)
  }

  @Test func roomComesBackHoweverATransferEnds() async throws {
    let room = CountedRoom(1_000_000)
    let loader = loader(room)
    _ = await loader.failure(server.url("/trunc?size=200000&cut=150000"))
    _ = await loader.failure(server.url("/bad-gzip"))
    let task = Task { await loader.failure(server.url("/drip?size=100000&delay=0.001")) }
    try await Task.sleep(for: .milliseconds(50))
    task.cancel()
    _ = await task.value
    #expect(room.free == 1_000_000)
  }

  @Test func smallBodiesNeverAsk() async throws {
    let room = CountedRoom(0)
    let response = try await loader(room, allowance: 4000).load(server.url("/ok?size=4000"))
    #expect(response.body.count == 4000)
    #expect(room.most == 0)
  }
}
