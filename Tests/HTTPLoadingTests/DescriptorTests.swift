import Foundation
import HTTPLoading
import TestSupport
import Testing

@Suite("File descriptors", .timeLimit(.minutes(2)))
struct DescriptorTests {
  /// In a process of its own, where nobody else opens descriptors meanwhile.
  @Test func twoHundredTransfersLeaveNoDescriptorOpen() async {
    await #expect(processExitsWith: .success) {
      let server = try FaultServer()
      func open() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
      // libcurl and the name service may keep a file or two once and for all.
      await Self.exercise(server, rounds: 1)
      let before = try open()
      await Self.exercise(server, rounds: 20)
      let after = try open()
      guard after == before else {
        print("open descriptors: \(before) before, \(after) after")
        exit(EXIT_FAILURE)
      }
      exit(EXIT_SUCCESS)
    }
  }

  private static func exercise(_ server: FaultServer, rounds: Int) async {
    let loader = HTTPLoader(configuration: .test)
    let targets = [
      "/ok", "/trunc", "/rst", "/close", "/status/404", "/redirect/2", "/close-delimited", "/garbage",
      "/chunked",
    ]
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<rounds {
        for target in targets { group.addTask { _ = await loader.failure(server.url(target)) } }
        group.addTask { _ = await loader.failure("http://localhost:1/") }
        group.addTask {
          let task = Task { await loader.failure(server.url("/hang")) }
          try? await Task.sleep(for: .milliseconds(5))
          task.cancel()
          _ = await task.value
        }
      }
    }
    loader.shutdown()
  }
}
