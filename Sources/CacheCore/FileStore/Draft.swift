#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A file on its way: open under a temporary name, locked for as long as it is being written, and removed
/// when it goes out of scope without having been published or kept.
struct Draft: ~Copyable {
  static let namePrefix = ".preheat-tmp-"

  let path: String
  private let descriptor: Int32
  private var isAbandoned = true

  /// The lock tells a draft in progress from one whose process died; the kernel drops it with the process,
  /// and unlike a process id it holds across containers that share a volume.
  init(in folder: String) throws(FileStoreError) {
    let path = "\(folder)/\(Self.namePrefix)\(String(UInt64.random(in: .min ... .max), radix: 36))"
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let descriptor = repeatingInterrupted { open(path, flags, 0o644) }
    guard descriptor >= 0 else { throw .last(.write, path: path) }
    self.path = path
    self.descriptor = descriptor
    // A file system without locks only loses the cleaner's caution.
    _ = flock(descriptor, LOCK_EX | LOCK_NB)
  }

  func fill(with data: Data, dates: FileDates) throws(FileStoreError) {
    let failure: Int32? = data.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = repeatingInterrupted {
          write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        }
        // A disk that takes nothing and reports nothing is full as far as we are concerned.
        guard count > 0 else { return count == 0 ? ENOSPC : errno }
        rest = rest.dropFirst(count)
      }
      return nil
    }
    if let failure { throw FileStoreError(.write, path: path, reason: .init(number: failure)) }
    if dates != FileDates(), futimens(descriptor, dates.times) != 0 { throw .last(.setDates, path: path) }
  }

  /// Gives the file its final name, in place of a file that has it.
  consuming func publish(as target: String) throws(FileStoreError) {
    guard repeatingInterrupted({ rename(path, target) }) == 0 else { throw .last(.publish, path: target) }
    isAbandoned = false
  }

  /// Leaves the file under its temporary name for somebody to publish later.
  consuming func keep() -> String {
    isAbandoned = false
    return path
  }

  deinit {
    if isAbandoned { unlink(path) }
    close(descriptor)
  }
}
