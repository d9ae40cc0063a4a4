import Foundation

/// A file on its way: open under a temporary name, locked for as long as it is being written, and removed
/// when it goes out of scope without having been published or kept.
struct Draft: ~Copyable {
  static let namePrefix = ".preheat-tmp-"

  package let path: String
  private let calls: FileCalls
  private let descriptor: Int32
  private var isAbandoned = true

  /// The lock tells a draft in progress from one whose process died; the kernel drops it with the process,
  /// and unlike a process id it holds across containers that share a volume.
  ///
  /// - Parameter isLocked: false where another lock keeps the cleaner away.
  init(
    in folder: String, mode: mode_t = 0o644, isLocked: Bool = true, calls: FileCalls = .system
  ) throws(FileStoreError) {
    let path = "\(folder)/\(Self.namePrefix)\(String(UInt64.random(in: .min ... .max), radix: 36))"
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    descriptor = try calls.perform(.open, .write, path) { open(path, flags, mode) }
    self.path = path
    self.calls = calls
    // A file system without locks only loses the cleaner's caution.
    if isLocked { _ = flock(descriptor, LOCK_EX | LOCK_NB) }
  }

  package func fill(with data: Data, dates: FileDates) throws(FileStoreError) {
    let failure: Int32? = data.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = calls.make(.write, path) {
          write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        }
        // A disk that takes no bytes and reports no error counts as full.
        guard count > 0 else { return count == 0 ? ENOSPC : errno }
        rest = rest.dropFirst(count)
      }
      return nil
    }
    if let failure { throw FileStoreError(.write, path: path, reason: .init(number: failure)) }
    guard dates != FileDates() else { return }
    try calls.perform(.setDates, .setDates, path) { futimens(descriptor, dates.times) }
  }

  /// Bytes on disk, as far as the file system has given them out.
  package var allocatedSize: Int {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int(status.st_blocks) * 512 : 0
  }

  /// Gives the file its final name, in place of a file that has it.
  package consuming func publish(as target: String) throws(FileStoreError) {
    try calls.perform(.rename, .publish, target) { rename(path, target) }
    isAbandoned = false
  }

  /// Leaves the file under its temporary name, to be published later.
  package consuming func keep() -> String {
    isAbandoned = false
    return path
  }

  deinit {
    if isAbandoned { _ = calls.make(.remove, path) { unlink(path) } }
    close(descriptor)
  }
}
