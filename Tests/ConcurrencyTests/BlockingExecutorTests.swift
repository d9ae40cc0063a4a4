import Foundation
import Testing

@testable import Concurrency

private actor Resident {
  nonisolated let executor = BlockingExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  private var count = 0

  func thread() -> UInt { UInt(pthread_self()) }

  /// Waits in the middle, so that others would come between if they could.
  func increment() {
    let before = count
    usleep(100)
    count = before + 1
  }

  func total() -> Int { count }

  /// Blocks the thread until somebody signals.
  func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }
}

@Suite(.timeLimit(.minutes(10)))
struct BlockingExecutorTests {
  @Test func allWorkOfAnActorHappensOnOneThreadOfItsOwn() async throws {
    let (one, two) = (Resident(), Resident())
    let first = await one.thread()
    for _ in 0..<5 {
      try await Task.sleep(for: .milliseconds(2))
      #expect(await one.thread() == first)
      #expect(await two.thread() != first)
    }
  }

  @Test func oneAtATime() async {
    let resident = Resident()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<200 { group.addTask { await resident.increment() } }
    }
    #expect(await resident.total() == 200)
  }

  @Test func manyThatWaitStopNobodyElse() async {
    let semaphore = DispatchSemaphore(value: 0)
    let residents = (0..<64).map { _ in Resident() }
    await withTaskGroup(of: Void.self) { group in
      for resident in residents { group.addTask { await resident.wait(for: semaphore) } }
      // More than there are threads in the cooperative pool, and still this runs.
      group.addTask { for _ in residents { semaphore.signal() } }
    }
  }

  @Test func theThreadEndsWithItsActor() async throws {
    func names() throws -> Set<String> {
      Set(try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task"))
    }
    var resident: Resident? = Resident()
    let id = await resident?.threadID()
    let task = String(try #require(id))
    #expect(try names().contains(task))
    resident = nil
    // It has to wake up first. The suite's time limit ends this where it never does.
    while try names().contains(task) { try await Task.sleep(for: .milliseconds(5)) }
  }
}

extension Resident {
  /// The number of the thread as the system knows it.
  fileprivate func threadID() -> Int? {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self"))
      .flatMap { $0.split(separator: "/").last }.flatMap { Int($0) }
  }
}
