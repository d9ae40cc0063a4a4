import Foundation
import Text

/// A file on its way: open under a temporary name, locked for as long as it is being written, and removed
/// when it goes out of scope without having been published or kept.
struct Draft: ~Copyable {
  static let namePrefix = ".preheat-tmp-"

  private let file: LockedFile
  private let calls: FileCalls
  private var isAbandoned = true

  package var path: String { file.path }

  /// - Parameter isLocked: false where another lock keeps the cleaner away.
  init(
    in folder: String, mode: mode_t = 0o644, isLocked: Bool = true, calls: FileCalls = .system
  ) throws(FileStoreError) {
    file = try LockedFile(Self.namePrefix, in: folder, mode: mode, isLocked: isLocked, calls: calls)
    self.calls = calls
  }

  package func fill(with data: Data, dates: FileDates) throws(FileStoreError) {
    let failure: Int32? = data.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = calls.make(.write, path) {
          write(file.descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        }
        // A disk that takes no bytes and reports no error counts as full.
        guard count > 0 else { return count == 0 ? ENOSPC : errno }
        rest = rest.dropFirst(count)
      }
      return nil
    }
    if let failure { throw FileStoreError(.write, path: path, reason: .init(number: failure)) }
    guard dates != FileDates() else { return }
    try calls.perform(.setDates, .setDates, path) { futimens(file.descriptor, dates.times) }
  }

  /// Bytes on disk, as far as the file system has given them out.
  package var allocatedSize: Int {
    var status = stat()
    return fstat(file.descriptor, &status) == 0 ? Int(status.st_blocks) * 512 : 0
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
  }
}

/// A file with a name and a lock of its own. The lock tells a draft in progress from one whose process died; the kernel
/// drops it with the process, and unlike a process number it holds across containers that share a volume.
package struct LockedFile: ~Copyable {
  package let path: String
  let descriptor: Int32

  /// Makes a file of a new name.
  package init(
    _ prefix: String, in folder: String, mode: mode_t = 0o644, isLocked: Bool = true, calls: FileCalls
  ) throws(FileStoreError) {
    (path, descriptor) = try Self.made(prefix, folder, mode, isLocked, calls)
  }

  private static func made(
    _ prefix: String, _ folder: String, _ mode: mode_t, _ isLocked: Bool, _ calls: FileCalls
  ) throws(FileStoreError) -> (String, Int32) {
    while true {
      let path = "\(folder)/\(prefix)\(String(UInt64.random(in: .min ... .max), radix: 36))"
      let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
      let descriptor = try calls.perform(.open, .write, path) { open(path, flags, mode) }
      guard isLocked else { return (path, descriptor) }
      // A file system without locks only loses the cleaner's caution.
      let isHeld = flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
      var status = stat()
      // A cleaner that came before the lock removes the file.
      if !isHeld, fstat(descriptor, &status) != 0 || status.st_nlink > 0 { return (path, descriptor) }
      close(descriptor)
    }
  }

  /// Takes the lock of a file whose process died; nil for one that is in use. Without locks only the age, more than a
  /// day, shows that it was left.
  package init?(abandoned path: String, calls: FileCalls) {
    // NFS gives this lock only for writing.
    let descriptor = calls.make(.open, path) { open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) }
    guard descriptor >= 0 else { return nil }
    var status = stat()
    let isLocked = calls.make(.lock, path) { flock(descriptor, LOCK_EX | LOCK_NB) } == 0
    let isOld =
      !isLocked && SystemCall.isUnsupported(errno) && fstat(descriptor, &status) == 0
      && time(nil) - status.modificationTime.tv_sec > 86_400
    guard isLocked || isOld else {
      close(descriptor)
      return nil
    }
    (self.path, self.descriptor) = (path, descriptor)
  }

  deinit { close(descriptor) }
}
