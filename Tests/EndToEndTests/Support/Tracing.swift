import Foundation
import TestSupport

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

  /// A system call that is struck: which one of its kind in a thread.
  struct Point: Hashable, CustomStringConvertible {
    var call: String
    var number: Int

    var description: String { "\(call) \(number)" }
    var wrapper: [String] { Tracing.wrapper(call, number: number, fault: "signal=KILL") }
  }

  /// Calls that change what others see.
  private static let changing = [
    "write", "pwrite64", "ftruncate", "fdatasync", "fsync", "syncfs", "utimensat", "rename", "renameat2",
    "unlink",
    "unlinkat", "rmdir", "mkdir", "link", "flock",
  ]

  /// Calls that see what is there.
  static let looking = ["openat", "newfstatat", "getdents64", "pread64"]

  /// Every point at which a command changes something, and with it the boundaries between two changes.
  ///
  /// - Parameter run: runs the command behind a wrapper.
  static func points(
    of run: (_ wrapper: [String]) throws -> Void, _ changing: [String] = Self.changing
  ) throws -> [Point] {
    let folder = try TemporaryFolder()
    let log = folder.file("calls").path
    try run([
      "timeout", "-s", "KILL", "120", "strace", "-qq", "-f", "-o", log, "-e",
      "trace=\(changing.joined(separator: ","))",
    ])
    var counts: [Substring: [Substring: Int]] = [:]
    for line in try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 1)
      // Short process numbers are padded.
      guard words.count == 2, let name = words[1].drop(while: { $0 == " " }).split(separator: "(").first,
        changing.contains(String(name))
      else { continue }
      counts[name, default: [:]][words[0], default: 0] += 1
    }
    return counts.keys.sorted().flatMap { name in
      (1...(counts[name]?.values.max() ?? 1)).map { Point(call: String(name), number: $0) }
    }
  }

  /// Some of many, evenly; all of them in a full run.
  static func sample(_ points: [Point], few: Int) -> [Point] {
    let count = min(points.count, FaultCount.of(few, full: points.count))
    return (0..<count).map { points[($0 * points.count + points.count / 2) / count % points.count] }
  }

  static func succeeds(_ command: [String]) -> Bool { Program.succeeds(command) }
}
