import Foundation
import TestSupport
import Testing

/// What a container takes away from a program: calls, processes, `/proc`. It says so, and waits for nothing.
@Suite(.timeLimit(.minutes(10))) struct ContainerTests {
  private static let filter = BuiltCommand.products.appendingPathComponent("unit-filter").path
  private static let patience = ["timeout", "-s", "KILL", "60"]

  /// What is answered without another thread.
  private static let threadless = [
    ["--version"], ["help", "run"], ["run", "-h"], ["help", "--completions", "bash"],
    ["key", "--client", "nuke 13", "https://img.example.com/1.jpg", "resize(width: 320)"],
  ]

  private static func without(_ call: String) -> [String] { patience + [filter, "without", call, "--"] }

  /// A group that may have so many processes and threads; nil where none can be made.
  private final class Group {
    let path: String

    init?(processes: Int) {
      let roots = ["/sys/fs/cgroup/pids", "/sys/fs/cgroup"]
      guard let root = roots.first(where: { access($0 + "/cgroup.procs", W_OK) == 0 }) else { return nil }
      path = "\(root)/preheat-\(UUID().uuidString)"
      guard mkdir(path, 0o700) == 0,
        (try? Data("\(processes)".utf8).write(to: URL(fileURLWithPath: path + "/pids.max"))) != nil
      else {
        rmdir(path)
        return nil
      }
    }

    var wrapper: [String] {
      ContainerTests.patience + ["bash", "-c", "echo $$ > '\(path)/cgroup.procs' && exec \"$@\"", "bash"]
    }

    deinit { rmdir(path) }
  }

  @Test(arguments: ["clone3", "eventfd2", "epoll_create1", "epoll_ctl", "timerfd_create"])
  func aCallThatTheTasksCannotDoWithoutIsNamed(call: String) throws {
    try BuiltCommand.run(["plan", "test.job"], wrapper: Self.without(call)).expect(1, "filter")
    for arguments in Self.threadless {
      try BuiltCommand.run(arguments, wrapper: Self.without(call)).expect(0)
    }
  }

  @Test(arguments: [1, 2, 4, 6, 8]) func noThreadToBeHadIsSaid(most: Int) throws {
    guard let group = Group(processes: most) else { return }
    let scene = try Scene("\(Scene.logo) card")
    try scene.run(wrapper: group.wrapper).expect(1, "pids.max")
    #expect(!scene.folder.has("cache"))
    for arguments in Self.threadless {
      try BuiltCommand.run(arguments, wrapper: group.wrapper).expect(0)
    }
  }

  /// Pictures that lack a process or a thread for a while are not to blame, and are right when they are made.
  @Test func tooFewProcessesForAWorkerAreNotThePicturesFault() throws {
    let whole = try Scene.ordinary().warmed()
    let entries = try whole.entries()
    let processors = ProcessInfo.processInfo.activeProcessorCount
    for most in stride(from: processors + 7, to: processors + 21, by: 2) {
      guard let group = Group(processes: most) else { return }
      let scene = try Scene.ordinary()
      let result = try scene.run(["--json", "--workers", "2"], wrapper: group.wrapper)
      let failures = try result.objects().compactMap { $0["error"] as? [String: Any] }
      #expect(result.status == (failures.isEmpty ? 0 : 5), "\(most): \(result.output)")
      #expect(failures.allSatisfy { $0["code"] as? String == "render.processes" }, "\(most): \(failures)")
      #expect(try scene.entries().allSatisfy { entries[$0.key] == $0.value })
      let tried = try whole.preheat(["verify", "cache"], wrapper: group.wrapper)
      #expect(!tried.output.contains("undecodable"), "\(most): \(tried.output)")
    }
  }

  @Test(.enabled(if: Mounts.arePossible)) func withoutProcItIsSaid() throws {
    let wrapper = ["unshare", "-m", "sh", "-c", "umount -l /proc && exec \"$@\"", "sh"]
    for arguments in [["--version"], ["plan", "test.job"]] {
      try BuiltCommand.run(arguments, wrapper: wrapper).expect(1, "/proc")
    }
  }

  /// Each with a line of its own, and with what to do about it.
  @Test func theDoctorNamesWhatIsMissing() throws {
    var cases = [
      (Self.without("prctl"), "confinement", "the kernel does not confine workers", "seccomp filters")
    ]
    if Mounts.arePossible {
      let readOnly = ["unshare", "-m", "sh", "-c", "mount -o remount,ro,bind / && cd / && exec \"$@\"", "sh"]
      cases.append((Self.patience + readOnly, "publishing", "the file system is read-only", "can write to"))
    }
    let group = Group(processes: 24)
    if let group {
      cases.append((group.wrapper, "processes", "24 processes and threads allowed", "pids.max"))
    }
    for (wrapper, code, words, advice) in cases {
      let result = try BuiltCommand.run(["doctor", "--json"], wrapper: wrapper)
      let finding = try #require(result.objects().first { $0["code"] as? String == code }, "\(result)")
      #expect(finding["severity"] as? String == (code == "processes" ? "warning" : "error"), "\(finding)")
      #expect("\(finding["message"] ?? "")".contains(words), "\(finding)")
      #expect("\(finding["advice"] ?? "")".contains(advice), "\(finding)")
    }
  }

  /// Where a process cannot ask for a signal at its parent's end it ends all the same.
  @Test func noWorkerOutlivesItsParent() throws {
    let scene = try Scene("\(Scene.logo) card")
    let processes = Processes()
    try scene.run(wrapper: Self.without("prctl"), environment: processes.environment).expect(4)
    #expect(eventually { processes.living().isEmpty })
  }
}
