import Foundation
import TestSupport
import Testing

@testable import Fetching

@Suite("File descriptors", .timeLimit(.minutes(FaultCount.minutes)))
struct DescriptorTests {
  /// In a process of its own, where nobody else opens descriptors meanwhile.
  @Test func noTransferLeavesADescriptorOpen() async {
    let result = await #expect(processExitsWith: .exitCode(EXIT_SUCCESS), observing: [\.standardErrorContent])
    {
      let server = try FaultServer()
      // libcurl and the name service may keep a file or two once and for all.
      await Self.exercise(server, rounds: 2)
      let before = try Self.open()
      await Self.exercise(server, rounds: FaultCount.of(20, full: 910))
      var after = try Self.open()
      // What belongs to the runtime, not to a loader, may be closed a little later.
      for _ in 0..<100 where after.count > before.count {
        try await Task.sleep(for: .milliseconds(20))
        after = try Self.open()
      }
      if after.count > before.count {
        FileHandle.standardError.write(Data("left open: \(after), before: \(before)".utf8))
      }
      exit(EXIT_SUCCESS)
    }
    let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    if let open = output.firstRange(of: "left open:") { Issue.record("\(output[open.lowerBound...])") }
  }

  private static func open() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
      .compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
      .filter { !$0.hasPrefix("/proc/") }
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
