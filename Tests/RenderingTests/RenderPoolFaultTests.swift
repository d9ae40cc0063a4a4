import Foundation
import TestSupport
import Testing

@testable import Pictures
@testable import Rendering

@Suite(.timeLimit(.minutes(10)), .enabled(if: FakePool.python != nil))
struct RenderPoolFaultTests {
  @Test(arguments: [
    ("signal 11", RenderFailure.Code.crash, "Segmentation fault"), ("signal 6", .crash, "Aborted"),
    ("say GLib-ERROR: failed to allocate 9 bytes\nsignal 5", .memory, "failed to allocate"),
    ("signal 9", .memory, "killed"), ("exit 71", .memory, "memory"), ("exit 3", .crash, "status 3"),
    ("exit 0", .crash, "status 0"), ("say libvips.so.42: cannot open\nexit 127", .worker, "libvips.so.42"),
    ("garbage", .worker, "not a render frame"), ("half", .crash, "status 0"), ("huge", .worker, "announced"),
    ("short", .worker, "not those of the request"), ("lie", .worker, "not those of the request"),
    ("deaf", .worker, "closed its connection"),
  ])
  func everyFaultHasItsCodeAndItsCauseAndTheNextPictureSucceeds(
    _ commands: String, _ code: RenderFailure.Code, _ words: String
  ) async throws {
    let fake = FakePool()
    let failure = try #require(await fake.failure(commands))
    #expect(failure.code == code, "\(failure)")
    #expect(failure.message.contains(words), "\(failure)")
    #expect(try await fake.run("echo next").text == "next")
  }

  @Test func aWorkerThatHangsIsKilledWhenItsTimeIsOver() async throws {
    let fake = FakePool()
    let pid = try await fake.run("echo warm").pid
    let failure = try #require(await fake.failure("hang", seconds: 0.2))
    #expect(failure.code == .timeout)
    #expect(failure.message.contains("0.2 s"))
    #expect(!FakePool.exists(pid))
    #expect(try await fake.run("echo next").text == "next")
  }

  /// Pictures that are sent at once: what is not known of one is asked for by itself, and never guessed.
  @Test func aPictureThatBreaksAmongManyCostsNoProofOfAnother() async throws {
    let fake = FakePool(picturesPerWorker: 3)
    func prove(_ pictures: String...) async -> [Bool] {
      let request = RenderRequest(
        outputs: [.init(steps: [], encoding: .original)], limits: RenderLimits(seconds: 5))
      return await fake.pool.prove(pictures.map { Array($0.utf8) }, by: request)
    }
    #expect(await prove("prove", "prove") == [true, true])
    #expect(await prove("prove", "died", "prove") == [true, false, true])
    #expect(await prove("prove", "exit 3", "prove") == [true, false, false])
    #expect(await prove("prove", "short", "prove") == [true, false, false])
    #expect(await prove("prove", "echo other", "prove") == [true, false, true])
    // More than a process may have: the next one comes after them.
    #expect(await prove("prove", "prove", "prove", "prove", "prove") == [true, true, true, true, true])
    #expect(await prove("prove") == [true])
    #expect(try await fake.run("echo next").text == "next")
    await fake.pool.shutdown()
    #expect(await prove("prove") == [false])
  }

  @Test func whatEarlierPicturesBrokeDoesNotCostTheNext() async throws {
    let fake = FakePool()
    for planted in ["poison", "last"] {
      let first = try await fake.run(planted).pid
      let second = try await fake.run("echo second")
      #expect(second.text == "second")
      #expect(second.pid != first)
    }
  }

  @Test func aPictureThatKillsTwiceIsGivenUp() async throws {
    let fake = FakePool()
    _ = try await fake.run("echo warm")
    #expect(await fake.failure("signal 11")?.code == .crash)
    // The worker that was tried second is gone, too.
    #expect(try await fake.run("echo next").text == "next")
  }

  @Test func whatAWorkerSaysIsToldOnOneLineWithoutControls() async throws {
    let fake = FakePool()
    let failure = try #require(await fake.failure("say first\nsay \u{1B}[31mred\u{202E}\nsay last\nexit 9"))
    #expect(failure.message.contains("first;  [31mred ; last"), "\(failure.message)")
  }

  @Test func aTalkativeWorkerIsNeitherBlockedNorRemembered() async throws {
    let fake = FakePool()
    for _ in 0..<5 { #expect(try await fake.run("flood 1000000\necho done").text == "done") }
    let failure = try #require(await fake.failure("flood 1000000\nexit 9"))
    #expect(failure.message.utf8.count < 500)
  }

  @Test(arguments: [
    ("/nowhere/preheat-render", "PREHEAT_RENDER"), ("/etc/hostname", "executable file"), ("/", "/"),
  ])
  func aWorkerThatCannotBeStartedIsNamedWithAdvice(_ path: String, _ advice: String) async throws {
    let pool = RenderPool(executable: path, workers: 1)
    let request = RenderRequest(outputs: [])
    let failure = await #expect(throws: RenderFailure.self) { try await pool.render(request, bytes: []) }
    #expect(failure?.code == .worker)
    #expect(failure?.message.contains(path) == true)
    #expect(failure?.message.contains(advice) == true)
    await pool.shutdown()
  }

  /// Hazard 21: the planted crashes cost themselves and nothing else, and leave nothing behind.
  @Test func aHundredCrashesAmongHundredsOfPicturesCostOnlyThemselves() async throws {
    let fake = FakePool(workers: 2)
    let every = FaultCount.of(4, full: 10)
    let before = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    let outcomes = await withTaskGroup(of: (Int, String?, RenderFailure.Code?).self) { group in
      for number in 0..<(100 * every) {
        group.addTask {
          let commands =
            number % every == every - 1
            ? ["signal 11", "exit 1", "garbage", "half"][number / every % 4] : "echo \(number)"
          do throws(RenderFailure) {
            // Bound first: Swift 6.3, optimising, loses what stands before an `await` in a task's tuple.
            let text = try await fake.run(commands).text
            return (number, text, nil)
          } catch {
            return (number, nil, error.code)
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    let failed = outcomes.filter { $0.1 == nil }
    #expect(failed.count == 100)
    #expect(failed.allSatisfy { number, _, _ in number % every == every - 1 })
    #expect(failed.allSatisfy { _, _, code in code == .crash || code == .worker })
    #expect(outcomes.allSatisfy { $0.1 == nil || $0.1 == "\($0.0)" })
    await fake.pool.shutdown()
    // Other suites open and close files meanwhile; a leak would be two a crash.
    let after = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    #expect(after < before + 80)
  }
}
