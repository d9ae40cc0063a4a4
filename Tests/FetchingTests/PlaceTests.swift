import Foundation
import TestSupport
import Testing

@testable import Fetching

@Suite("Places", .timeLimit(.minutes(10)))
struct PlaceTests {
  private func start(_ scheduler: inout TransferScheduler) -> Int {
    var count = 0
    while case .start = scheduler.next(at: .zero) { count += 1 }
    return count
  }

  @Test func placesOfSlowTransfersAreLentUpToABound() {
    var scheduler = TransferScheduler(maxConcurrent: 2, maxConcurrentPerHost: 9)
    for id in 1...40 { scheduler.enqueue(UInt64(id), host: "h\(id)", priority: .normal) }
    #expect(start(&scheduler) == 2)
    scheduler.park(1, true)
    #expect(start(&scheduler) == 1)
    scheduler.park(1, false)
    #expect(start(&scheduler) == 0)
    for id in 1...40 {
      scheduler.park(UInt64(id), true)
      _ = start(&scheduler)
    }
    // Two that run and eight that hang.
    #expect(scheduler.next(at: .zero) == .idle)
    for id in 1...10 { scheduler.finish(UInt64(id), health: .slow) }
    #expect(start(&scheduler) == 2)
  }

  @Test func aShortageTakesPlacesAndSuccessesBringThemBack() {
    var scheduler = TransferScheduler(maxConcurrent: 2, maxConcurrentPerHost: 2)
    scheduler.shrink()
    #expect(scheduler.places == 1)
    for id in 1...64 {
      scheduler.enqueue(UInt64(id), host: "a", priority: .normal)
      #expect(scheduler.next(at: .zero) == .start(UInt64(id)) && scheduler.places == 1)
      scheduler.finish(UInt64(id), health: .reached)
    }
    #expect(scheduler.places == 2)
  }

  @Test func aHundredHostsThatHangDoNotHoldUpAHealthyOne() async throws {
    let slow = try FaultServer()
    let quick = try FaultServer()
    let hosts = (0..<100).map { "slow\($0).example" }
    let loader = HTTPLoader.test {
      $0.maxConcurrent = 32
      $0.allowPrivate = ["127.0.0.1", "*.example"]
      $0.resolve = hosts.map { "\($0):\(slow.port):127.0.0.1" }
      // Nobody is helped by a time-out while this test runs.
      $0.longestSilence = .seconds(600)
    }
    let hanging = hosts.map { host in
      Task { await loader.failure("http://\(host):\(slow.port)/drip?delay=1") }
    }
    let failures = await loader.failures((0..<200).map { quick.url("/ok?\($0)") })
    #expect(failures.allSatisfy { $0 == nil })
    loader.shutdown()
    for task in hanging { #expect(await task.value?.code == .cancelled) }
  }

  @Test func thirtyTwoDescriptorsAreEnoughForAThousandTransfers() async {
    await #expect(processExitsWith: .exitCode(0)) {
      let server = try FaultServer()
      let loader = HTTPLoader.test {
        $0.maxConcurrentPerHost = 64
        $0.retries = 0
      }
      // The timers of the tasks' own runtime want a descriptor the first time, and end the process without one.
      try await Task.sleep(for: .milliseconds(1))
      limitDescriptors(to: 32)
      var failures: [HTTPFailure] = []
      await withTaskGroup(of: HTTPFailure?.self) { group in
        for index in 0..<1000 {
          group.addTask { await loader.failure(server.url("/ok?size=100&\(index)")) }
        }
        for await failure in group { if let failure { failures.append(failure) } }
      }
      #expect(failures.isEmpty)
      exit(failures.isEmpty ? 0 : 1)
    }
  }
}
