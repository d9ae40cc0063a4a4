import Foundation

/// strace, where it is installed and may be used, to strike at a given system call.
enum Tracing {
  static let isPossible = succeeds(["strace", "-qq", "-f", "-e", "trace=none", "true"])

  /// - Parameters:
  ///   - call: The system call.
  ///   - number: Which call of a thread is struck, counted from 1.
  ///   - fault: What happens then, as strace spells it: `signal=KILL`, `error=ENOSPC`, ...
  static func wrapper(_ call: String, number: Int, fault: String) -> [String] {
    // Whatever tracing does to a run, the test comes to its end.
    ["timeout", "-s", "KILL", "60", "strace", "-qq", "-f", "-o", "/dev/null", "-e", "trace=\(call)"]
      + ["-e", "inject=\(call):\(fault):when=\(number)"]
  }

  static func succeeds(_ command: [String]) -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
