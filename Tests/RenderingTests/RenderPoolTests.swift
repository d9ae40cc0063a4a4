import Foundation
import TestSupport
import Testing

@testable import Pictures
@testable import Rendering

@Suite(.timeLimit(.minutes(10)), .enabled(if: FakePool.python != nil))
struct RenderPoolTests {
  @Test func aWorkerIsReplacedAfterItsShareOfPictures() async throws {
    let fake = FakePool(picturesPerWorker: 2)
    var pids: [pid_t] = []
    for number in 0..<6 { pids.append(try await fake.run("echo \(number)").pid) }
    #expect(pids[0] == pids[1] && pids[2] == pids[3] && pids[4] == pids[5])
    #expect(Set(pids).count == 3)
    await fake.pool.shutdown()
    for pid in pids { #expect(!FakePool.exists(pid)) }
  }

  @Test func manyCallsShareFewWorkersAndAllAreAnswered() async throws {
    let fake = FakePool(workers: 2)
    let results = try await withThrowingTaskGroup(of: (Int, String, pid_t).self) { group in
      for number in 0..<200 {
        group.addTask {
          let result = try await fake.run("echo \(number)")
          return (number, result.text, result.pid)
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(results.count == 200)
    #expect(results.allSatisfy { $0.1 == "\($0.0)" })
    #expect((1...2).contains(Set(results.map(\.2)).count))
  }

  @Test func largePicturesGoThroughWhole() async throws {
    let fake = FakePool()
    let text = String(repeating: "0123456789abcdef", count: 60_000)
    #expect(try await fake.run("echo " + text).text == text)
  }

  @Test func tooManyBytesNeverReachAWorker() async throws {
    let pool = RenderPool(executable: "/nowhere/preheat-render", workers: 1)
    let request = RenderRequest(outputs: [], limits: RenderLimits(maxBytes: 10))
    let failure = await #expect(throws: RenderFailure.self) {
      try await pool.render(request, bytes: [UInt8](repeating: 0, count: 11))
    }
    #expect(failure?.code == .limit)
  }

  @Test func theWorkerSeesNoSecretsAndNoForeignDescriptors() async throws {
    // A descriptor that some library forgot to mark.
    let forgotten = dup(2)
    defer { close(forgotten) }
    let fake = FakePool(environment: [
      "PATH": "/usr/bin:/bin", "TZ": "UTC", "VIPS_WARNING": "0", "API_TOKEN": "secret", "HOME": "/root",
    ])
    // Python adds LC_CTYPE where the locale is C.
    let names = try await fake.run("environment").text.split(separator: ",").filter { $0 != "LC_CTYPE" }
    #expect(names == ["PATH", "SWIFT_BACKTRACE", "TZ", "VIPS_WARNING"])
    #expect(try await fake.run("descriptors").text == "0,1,2")
    // It leads its own process group.
    let ids = try await fake.run("group").text.split(separator: " ")
    #expect(ids[0] == ids[1])
  }

  @Test func shutdownLeavesNoProcess() async throws {
    let fake = FakePool(workers: 2)
    async let one = fake.run("sleep 0.05\necho one")
    async let two = fake.run("sleep 0.05\necho two")
    let pids = try await [one.pid, two.pid]
    await fake.pool.shutdown()
    for pid in pids { #expect(!FakePool.exists(pid)) }
    #expect(await fake.failure("echo late")?.code == .cancelled)
    await fake.pool.shutdown()
  }

  @Test func shutdownEndsWhatRunsAndWhatWaits() async throws {
    let fake = FakePool()
    let pid = try await fake.run("echo warm").pid
    let failures = await withTaskGroup(of: RenderFailure?.self) { group in
      for _ in 0..<5 { group.addTask { await fake.failure("hang") } }
      try? await Task.sleep(for: .milliseconds(50))
      await fake.pool.shutdown()
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(failures.map { $0?.code } == Array(repeating: .cancelled, count: 5))
    #expect(!FakePool.exists(pid))
  }

  @Test func aPoolThatIsForgottenTakesItsWorkersAlong() async throws {
    var fake: FakePool? = FakePool()
    let pid = try await #require(fake).run("echo one").pid
    fake = nil
    // The last reference may be let go by another thread.
    for _ in 0..<500 where FakePool.exists(pid) { try await Task.sleep(for: .milliseconds(10)) }
    #expect(!FakePool.exists(pid))
  }

  @Test func aTaskThatIsCancelledKillsItsWorkerAndTheNextIsServed() async throws {
    let fake = FakePool()
    let pid = try await fake.run("echo warm").pid
    let folder = try TemporaryFolder()
    let task = Task { await fake.failure("touch \(folder.file("begun").path)\nhang") }
    try await FakePool.waitFor(folder.file("begun"))
    task.cancel()
    #expect(await task.value?.code == .cancelled)
    let next = try await fake.run("echo next")
    #expect(next.text == "next")
    #expect(next.pid != pid)
  }

  @Test func aTaskThatIsCancelledAlreadyWaitsForNothing() async throws {
    let fake = FakePool()
    let folder = try TemporaryFolder()
    let busy = Task { await fake.failure("touch \(folder.file("begun").path)\nhang") }
    try await FakePool.waitFor(folder.file("begun"))
    let late = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await fake.failure("echo never")
    }
    #expect(await late.value?.code == .cancelled)
    await fake.pool.shutdown()
    #expect(await busy.value?.code == .cancelled)
  }

  /// What is cancelled takes neither the worker of another task nor its own after it is done.
  @Test func aTaskThatIsCancelledWhileItWaitsGivesUpItsPlace() async throws {
    let fake = FakePool()
    let pid = try await fake.run("echo warm").pid
    let folder = try TemporaryFolder()
    let busy = Task { try await fake.run("touch \(folder.file("begun").path)\nsleep 0.3\necho busy") }
    try await FakePool.waitFor(folder.file("begun"))
    let waiting = Task { await fake.failure("echo never") }
    let patient = Task { try await fake.run("echo patient").text }
    waiting.cancel()
    #expect(await waiting.value?.code == .cancelled)
    #expect(try await busy.value == ("busy", pid))
    #expect(try await patient.value == "patient")
    busy.cancel()
    #expect(try await fake.run("echo next").pid == pid)
  }

  /// A worker that comes back while a task is about to wait for one is not missed.
  @Test func noTaskWaitsForEver() async {
    let settings = RenderWorker.Settings(
      launch: WorkerLaunch(executable: "/nowhere", arguments: [], environment: [:]), picturesPerProcess: 1,
      maxAnswerBytes: 1)
    let queue = WorkerQueue((0..<3).map { _ in RenderWorker(settings) })
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<16 {
        group.addTask {
          for _ in 0..<1000 { #expect(await queue.run { _ in true } == true) }
        }
      }
    }
    #expect(queue.length == 0)
  }
}
