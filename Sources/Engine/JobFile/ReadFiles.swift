import Foundation
import Synchronization

/// The files that a command has read, so that it writes over none of them, by whatever name.
package final class ReadFiles: Sendable {
  private struct Number: Hashable {
    var device: dev_t
    var file: ino_t

    /// Nil for a device or a pipe.
    init?(_ status: stat) {
      guard status.st_mode & S_IFMT == S_IFREG else { return nil }
      (device, file) = (status.st_dev, status.st_ino)
    }
  }

  /// Those of the command that runs.
  @TaskLocal package static var current = ReadFiles()

  private let numbers = Mutex<Set<Number>>([])

  package init() {}

  func note(_ descriptor: Int32) {
    var status = stat()
    if fstat(descriptor, &status) == 0, let number = Number(status) { add(number) }
  }

  package func note(_ path: String) {
    if let number = Self.number(path) { add(number) }
  }

  package func holds(_ path: String) -> Bool {
    Self.number(path).map { number in numbers.withLock { $0.contains(number) } } ?? false
  }

  private func add(_ number: Number) { numbers.withLock { _ = $0.insert(number) } }

  private static func number(_ path: String) -> Number? {
    var status = stat()
    return stat(path, &status) == 0 ? Number(status) : nil
  }
}
