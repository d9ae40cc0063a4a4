import Foundation
import Synchronization

/// The files that a command has read, so that it writes over none of them, by whatever name.
package final class ReadFiles: Sendable {
  /// Those of the command that runs.
  @TaskLocal package static var current = ReadFiles()

  /// Devices, and the numbers of files on them.
  private let numbers = Mutex<Set<[UInt]>>([])

  package init() {}

  func note(_ descriptor: Int32) { add(Self.number { fstat(descriptor, &$0) }) }

  package func note(_ path: String) { add(Self.number { stat(path, &$0) }) }

  package func holds(_ path: String) -> Bool {
    Self.number { stat(path, &$0) }.map { number in numbers.withLock { $0.contains(number) } } ?? false
  }

  private func add(_ number: [UInt]?) {
    if let number { numbers.withLock { _ = $0.insert(number) } }
  }

  /// Nil where nothing is, and for a device or a pipe.
  private static func number(_ look: (inout stat) -> Int32) -> [UInt]? {
    var status = stat()
    guard look(&status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return [UInt(status.st_dev), UInt(status.st_ino)]
  }
}
