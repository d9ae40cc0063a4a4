import Foundation
import Testing

/// Every command opens its job once and reads it once: a pipe, which has its text for one reader, is enough.
@Suite(.ownThreads, .timeLimit(.minutes(10)))
struct OneReadingTests {
  private static let commands: [[String]] = [
    ["plan", "JOB"], ["run", "JOB"], ["run", "--report", "report", "--junit", "junit.xml", "JOB"],
    ["key", "--job", "JOB", "https://e.com/1.jpg"], ["code", "--swift", "JOB"],
    ["run", "--signposts", "log.ndjson", "--json", "JOB"],
    ["plan", "--compare", "before.ndjson", "JOB"],
  ]

  private func scene() throws -> Scene {
    let scene = try Scene(
      "\(Scene.logo) card id=a\nhttps://e.com/1.jpg")
    let plan = try scene.preheat(["plan", "--json", "test.job"])
    try scene.folder.write(plan.output, to: "before.ndjson")
    return scene
  }

  @Test(arguments: commands) func aPipeIsEnough(command: [String]) throws {
    let scene = try scene()
    let pipe = scene.folder.file("pipe").path
    #expect(mkfifo(pipe, 0o600) == 0)
    let text = try Data(contentsOf: scene.folder.file("test.job"))
    let writer = Thread {
      guard let file = FileHandle(forWritingAtPath: pipe) else { return }
      try? file.write(contentsOf: text)
      try? file.close()
    }
    writer.start()
    let arguments = command.map { $0 == "JOB" ? "pipe" : $0 } + (command[0] == "run" ? ["--offline"] : [])
    let result = try scene.preheat(arguments)
    let file = try scene.preheat(
      command.map { $0 == "JOB" ? "test.job" : $0 } + (command[0] == "run" ? ["--offline"] : []))
    #expect(result.status == file.status && [0, 3].contains(result.status), "\(result.messages)")
    if command[0] == "plan" || command[0] == "key" || command[0] == "code" {
      #expect(result.output == file.output.replacing("test.job", with: "pipe"))
    }
  }

  /// The system calls of the main process, which read the job.
  @Test(arguments: commands) func theJobIsOpenedOnce(command: [String]) throws {
    let scene = try scene()
    let arguments =
      command.map { $0 == "JOB" ? "test.job" : $0 } + (command[0] == "run" ? ["--offline"] : [])
    _ = try scene.preheat(arguments, wrapper: ["strace", "-f", "-e", "trace=openat,open", "-o", "calls"])
    let calls = try scene.folder.text("calls")
    let opened = calls.split(separator: "\n").filter { $0.contains("test.job\"") }
    #expect(opened.count == 1, "\(opened)")
  }
}
