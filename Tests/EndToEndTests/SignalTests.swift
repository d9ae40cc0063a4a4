import Foundation
import TestSupport
import Testing

@Suite(.ownThreads, .timeLimit(.minutes(10)))
struct SignalTests {

  /// One picture that is done soon, and one source that never answers.
  private static func hanging(_ server: FaultServer) throws -> Scene {
    try Scene("\(Scene.logo) card\n\(server.url("/hang")) card\n\(server.url("/hang-body")) card")
  }

  static let signals: [(number: Int32, status: Int32)] = [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 143)]

  @Test(arguments: signals)
  func oneSignalStopsARunThatHangsAndStoresWhatIsFinished(number: Int32, status: Int32) throws {
    let server = try FaultServer()
    let scene = try Self.hanging(server)
    let running = try scene.start(["--verbose", "-w", "1"])
    #expect(try eventually { try server.count("/hang") > 0 && server.count("/hang-body") > 0 })
    #expect(eventually { !scene.leftovers().isEmpty }, "nothing was finished")
    let start = ContinuousClock.now
    kill(running.process.processIdentifier, number)
    let result = try running.wait()
    // Two seconds are the promise; the bound is lax for the sake of loaded machines, and still far below
    // the time after which the loader gives a silent server up.
    #expect(ContinuousClock.now - start < .seconds(8))
    #expect(result.status == status)
    #expect(result.output.contains("interrupted") && result.output.contains("2 not done"))
    #expect(try scene.entries().count == 1)
    #expect(scene.leftovers().isEmpty)
  }

  /// What is written waits for a reader, and with it all that would stop the run.
  @Test func aSignalEndsARunWhoseOutputNobodyReads() throws {
    let chains = (1...300).map { "resize(width: \($0))" }.joined(separator: " ")
    let scene = try Scene("\(Scene.logo) \(chains)")
    #expect(Tracing.succeeds(["mkfifo", scene.folder.file("pipe").path]))
    let path = scene.folder.file("pipe").path
    let reader = open(path, O_RDWR | O_CLOEXEC)
    defer { close(reader) }
    let running = try scene.start(["--json"], wrapper: ["bash", "-c", "exec \"$@\" > '\(path)'", "bash"])
    #expect(eventually { !((try? scene.names()) ?? []).isEmpty })
    sleep(3)
    kill(running.process.processIdentifier, SIGTERM)
    #expect(try running.wait().status == 143)
  }

  /// Where a limit is too small to begin with, the program says so, and does not wait for what will never come.
  @Test(arguments: ["-v 262144", "-n 31", "-n 15", "-n 5", "-d 65536", "-u 1", "-u 4", "-u 10"])
  func aLimitThatIsTooSmallIsNamed(limit: String) throws {
    // The number of processes does not bind root.
    guard geteuid() != 0 || !limit.hasPrefix("-u") else { return }
    let scene = try Scene("\(Scene.logo) card")
    try scene.run(wrapper: ["bash", "-c", "ulimit \(limit); exec \"$@\"", "bash"]).expect(
      1, "ulimit \(limit.prefix(2))")
    #expect(try scene.entries().isEmpty)
  }

  /// Sixteen workers would need more than there is.
  @Test func thirtyTwoDescriptorsAreEnoughForARun() throws {
    let scene = try Scene.ordinary()
    try scene.run(["-w", "16"], wrapper: ["bash", "-c", "ulimit -n 32; exec \"$@\"", "bash"]).expect(0)
    #expect(try scene.names().count == 24)
  }

  @Test(.enabled(if: Tracing.isPossible)) func aLackOfDescriptorsMayPass() throws {
    let scene = try Scene("\(Scene.logo) card")
    try scene.run(wrapper: Tracing.wrapper("socketpair", number: 1, fault: "error=EMFILE")).expect(
      5, prints: "ulimit -n")
    try scene.run().expect(0)
  }

  @Test func aStoppedRunIsCompletedByTheNext() throws {
    let server = try FaultServer()
    let scene = try Self.hanging(server)
    let running = try scene.start(["--json"])
    #expect(try eventually { try server.count("/hang") > 0 })
    kill(running.process.processIdentifier, SIGINT)
    let stopped = try running.wait()
    let summary = try #require(try stopped.objects().last)
    #expect(summary["interrupted"] as? Bool == true && summary["exit"] as? Int == 130)
    try scene.write(Scene.logo + " card")
    #expect(try scene.run().status == 0)
    #expect(try scene.entries().count == 1)
  }

  @Test func aSignalStopsWorkersThatHang() throws {
    let scene = try Scene("\(Scene.logo) card")
    let renderer = scene.folder.file("hangs")
    try scene.folder.writeProgram("#!/bin/sh\necho > started\nexec sleep 600\n", to: "hangs")
    let processes = Processes()
    let running = try scene.start(
      environment: processes.environment.merging(["PREHEAT_RENDER": renderer.path]) { $1 })
    let started = scene.folder.file("started").path
    #expect(eventually { FileManager.default.fileExists(atPath: started) })
    kill(running.process.processIdentifier, SIGTERM)
    #expect(try running.wait().status == 143)
    #expect(eventually { processes.living().isEmpty })
  }

  @Test func aSecondSignalEndsARunAtOnceWhateverItIsDoing() throws {
    // More results than a pipe holds, for a reader that takes none: no signal makes that end well.
    let scene = try Scene((0..<500).map { "/missing/\($0).png card" }.joined(separator: "\n"))
    let over = scene.folder.file("over")
    let reader = #""$@" | while [ ! -e over ]; do sleep 0.1; done; exit "${PIPESTATUS[0]}""#
    let processes = Processes()
    let running = try scene.start(
      ["--json"], wrapper: ["bash", "-c", reader, "bash"], environment: processes.environment)
    defer { try? Data().write(to: over) }
    let isCommand = { (id: Int32) in
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(id)/exe"))
        == BuiltCommand.preheat.resolvingSymlinksInPath().path
    }
    #expect(eventually { processes.living().contains(where: isCommand) })
    let command = try #require(processes.living().first(where: isCommand))
    usleep(700_000)
    kill(command, SIGINT)
    usleep(300_000)
    kill(command, SIGINT)
    #expect(eventually { !processes.living().contains(where: isCommand) })
    try Data().write(to: over)
    #expect(try running.wait().status == 130)
  }

  @Test func aRunThatIsHaltedAndContinuedEndsAsAlways() throws {
    let scene = try Scene.ordinary()
    let running = try scene.start()
    for pause in [20, 60, 100] {
      usleep(UInt32(pause) * 1000)
      kill(running.process.processIdentifier, SIGSTOP)
      usleep(50_000)
      kill(running.process.processIdentifier, SIGCONT)
    }
    #expect(try running.wait().status == 0)
    #expect(try scene.entries().count == 24)
  }

  @Test(arguments: [["plan", "--rows"], ["plan", "--json"], ["run"], ["run", "--json"]])
  func aReaderThatGoesAwayIsNoFailure(arguments: [String]) throws {
    let scene = try Scene(
      arguments[0] == "plan"
        ? (0..<3000).map { "https://e.com/\($0).jpg card" }.joined(separator: "\n")
        : Scene.ordinaryLines.joined(separator: "\n"))
    let pipe = ["bash", "-c", #""$@" | head -n 1; exit "${PIPESTATUS[0]}""#, "bash"]
    let result = try BuiltCommand.run(
      arguments + ["test.job", "--scale", "1"], in: scene.folder.url,
      // On a busy machine a run may last long enough for a line about its progress.
      environment: ["PREHEAT_PROGRESS": "none"], wrapper: pipe)
    #expect(result.status == 0)
    #expect(result.output.split(separator: "\n").count == 1)
    #expect(result.messages.isEmpty)
    if arguments[0] == "run" { #expect(try scene.entries().count == 24) }
  }
}
