import TestSupport
import Testing

@testable import Fetching

@Suite("Cancellation and release", .timeLimit(.minutes(10)))
struct LifetimeTests {
  private let server: FaultServer

  init() throws { server = try FaultServer() }

  private func wait(until condition: () throws -> Bool) async throws {
    while try !condition() { try await Task.sleep(for: .milliseconds(5)) }
  }

  @Test func cancellingTheTaskEndsTheTransfer() async throws {
    let loader = HTTPLoader(configuration: .test)
    let task = Task { await loader.failure(server.url("/hang")) }
    try await wait { try server.count("/hang") == 1 }
    task.cancel()
    #expect(await task.value?.code == .cancelled)
    try await wait { try server.stats().open == 0 }
    #expect(try await loader.load(server.url("/ok")).status == 200)
  }

  @Test func aTaskCancelledBeforehandSendsNothing() async throws {
    let loader = HTTPLoader(configuration: .test)
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return await loader.failure(server.url("/ok"))
    }
    task.cancel()
    #expect(await task.value?.code == .cancelled)
    #expect(try server.stats().connections == 0)
  }

  @Test func cancellingWhileWaitingFreesNoPlaceTwice() async throws {
    let loader = HTTPLoader.test { $0.maxConcurrentPerHost = 1 }
    let first = Task { await loader.failure(server.url("/hang")) }
    try await wait { try server.count("/hang") == 1 }
    let waiting = (0..<20).map { _ in Task { await loader.failure(server.url("/ok")) } }
    for task in waiting { task.cancel() }
    for task in waiting { #expect(await task.value?.code == .cancelled) }
    #expect(try server.count("/ok") == 0)
    first.cancel()
    #expect(await first.value?.code == .cancelled)
    #expect(try await loader.load(server.url("/ok")).status == 200)
  }

  @Test func randomCancellationsAnswerEveryCaller() async throws {
    let loader = HTTPLoader(configuration: .test)
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<200 {
        let task = Task { await loader.failure(server.url("/ok?size=\(index + 1)")) }
        group.addTask {
          if index.isMultiple(of: 3) {
            try? await Task.sleep(for: .microseconds(index * 37 % 3000))
            task.cancel()
          }
          let code = await task.value?.code
          #expect(code == nil || code == .cancelled)
        }
      }
    }
  }

  @Test func shutdownEndsEveryTransferAndMayComeTwice() async throws {
    let loader = HTTPLoader(configuration: .test)
    #expect(try await loader.load(server.url("/ok")).status == 200)
    let tasks = (0..<10).map { _ in Task { await loader.failure(server.url("/hang")) } }
    try await wait { try server.count("/hang") == 6 }
    loader.shutdown()
    loader.shutdown()
    for task in tasks { #expect(await task.value?.code == .cancelled) }
    #expect(await loader.failure(server.url("/ok"))?.code == .cancelled)
    try await wait { try server.stats().open == 0 }
  }

  @Test func aLoaderHeldByItsLoadAloneFinishesIt() async throws {
    #expect(try await HTTPLoader(configuration: .test).load(server.url("/ok")).status == 200)
  }
}
