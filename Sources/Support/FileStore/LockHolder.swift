import Foundation
import Text

/// The process that keeps others off a file, for messages.
package struct LockHolder: Hashable, Sendable, CustomStringConvertible {
  package var process: Int32
  package var program: String?

  package var description: String {
    "process \(process)\(program.map { " (\(SafeText.escape($0)))" } ?? "")"
  }

  /// The holder of a lock on one of these files, by the kernel's list; nil where it lists no other process.
  package static func find(_ paths: [String]) -> LockHolder? {
    guard let list = SystemFile.text("/proc/locks") else { return nil }
    let files = Set(paths.compactMap(number(ofFile:)))
    for line in list.split(separator: "\n") {
      // 1: POSIX  ADVISORY  WRITE 4711 08:01:1234 0 EOF; those who wait have an arrow behind the number.
      let words = line.split(separator: " ")
      guard words.count >= 6, words[1] != "->", let process = Int32(words[4]), process > 0,
        process != getpid(), let number = words[5].split(separator: ":").last.flatMap({ UInt64($0) }),
        files.contains(number)
      else { continue }
      return LockHolder(process: process, program: SystemFile.text("/proc/\(process)/comm"))
    }
    return nil
  }

  private static func number(ofFile path: String) -> UInt64? {
    var status = stat()
    return stat(path, &status) == 0 ? UInt64(status.st_ino) : nil
  }
}
