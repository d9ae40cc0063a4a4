import Foundation
import TestSupport
import Testing

/// A run that ends without a word leaves a cache that an app can use, and the next one completes it.
@Suite(.ownThreads, .timeLimit(.minutes(FaultCount.minutes)))
struct KillTests {
  /// What an undisturbed run leaves.
  private static let whole = Result {
    let scene = try Scene.ordinary()
    let result = try scene.run()
    try #require(result.status == 0, "\(result.messages)")
    return try scene.files()
  }

  /// After the end of a run, however it came: nothing torn or foreign, and the next run completes it.
  private static func check(_ scene: Scene, _ comment: Comment) throws {
    let whole = try whole.get()
    for (name, bytes) in try scene.entries() {
      #expect(bytes == whole[name], "\(comment): \(name) is torn or foreign")
    }
    try scene.run().expect(0)
    #expect(try scene.files() == whole, comment)
    #expect(scene.leftovers().isEmpty, comment)
  }

  @Test func aRunKilledAtAnyMomentIsCompletedByTheNextToTheSameBytes() throws {
    for number in 0..<FaultCount.of(10, full: 1000) {
      let moment = number < 10 ? number : Int.random(in: 0..<10)
      let scene = try Scene.ordinary()
      let processes = Processes()
      let running = try scene.start(environment: processes.environment)
      // From the first breath to well behind the end, wherever a loaded machine puts that.
      let pause = UInt32(moment * moment) * 4000 + (number < 10 ? 0 : UInt32.random(in: 0..<40_000))
      usleep(pause)
      kill(running.process.processIdentifier, SIGKILL)
      _ = try running.wait()
      #expect(eventually { processes.living().isEmpty }, "workers outlive their run")
      try Self.check(scene, "killed after \(pause) µs")
    }
  }

  /// The first process of a worker's namespace asks to die with its parent, which may be dead by then.
  @Test(.enabled(if: Tracing.isPossible)) func aRunKilledWhileItsWorkersBeginLeavesNone() throws {
    for _ in 0..<3 {
      let scene = try Scene.ordinary()
      let processes = Processes()
      let late = [
        "timeout", "-s", "KILL", "60", "strace", "-qq", "-f", "-o", "/dev/null", "-e", "trace=prctl",
        "-e", "inject=prctl:delay_enter=200000",
      ]
      let running = try scene.start(wrapper: late, environment: processes.environment)
      // Two workers, and what each of them has forked.
      #expect(eventually { processes.living(named: "preheat-render").count > 2 })
      for process in processes.living(named: "preheat") { kill(process, SIGKILL) }
      _ = try running.wait()
      #expect(eventually { processes.living().isEmpty }, "a first process outlives its run")
    }
  }

  /// A call, which one of a thread is struck, and whether the thread is known to get there.
  static let boundaries: [(call: String, number: Int)] = [
    ("write", 1), ("write", 5), ("syncfs", 1), ("rename", 1), ("rename", 2), ("rename", 13), ("rename", 24),
    ("pwrite64", 1), ("pwrite64", 4), ("pwrite64", 9), ("fdatasync", 1), ("unlink", 1), ("utimensat", 3),
    ("flock", 1), ("flock", 5), ("mkdir", 2),
  ]

  /// All that are there; a few of them are above.
  @Test(.enabled(if: Tracing.isPossible && FaultCount.of(0, full: 100) > 0))
  func aRunKilledAtEverySystemCallThatChangesSomethingIsCompletedByTheNext() throws {
    let points = try Tracing.points { wrapper in
      let result = try Scene.ordinary().run(wrapper: wrapper)
      try #require(result.status == 0, "\(result.messages)")
    }
    #expect(points.count > 60)
    for point in Tracing.sample(points, few: 0) {
      let scene = try Scene.ordinary()
      _ = try scene.run(wrapper: point.wrapper)
      try Self.check(scene, "killed at \(point)")
    }
  }

  @Test(.enabled(if: Tracing.isPossible), arguments: [0, 1])
  func aRunKilledAtASystemCallIsCompletedByTheNextToTheSameBytes(half: Int) throws {
    var struck = 0
    for (call, number) in Self.boundaries[(half * 8)..<(half * 8 + 8)] {
      let scene = try Scene.ordinary()
      let wrapper = Tracing.wrapper(call, number: number, fault: "signal=KILL")
      let result = try scene.run(wrapper: wrapper)
      // Not every thread comes to its fifth write; then the run ends as always. A worker may be struck,
      // too; then some pictures fail.
      #expect([0, 3, 4, 137].contains(result.status), "\(call) \(number): \(result.messages)")
      if result.status == 137 { struck += 1 }
      try Self.check(scene, "killed at \(call) \(number)")
    }
    #expect(struck >= 5)
  }
}
