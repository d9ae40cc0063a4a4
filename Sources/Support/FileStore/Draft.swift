import Text

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

  package let path: String
  private let descriptor: Int32
  private var isAbandoned = true

  /// The lock tells a draft in progress from one whose process died; the kernel drops it with the process,
  /// and unlike a process id it holds across containers that share a volume.
  init(in folder: String) throws(FileStoreError) {
    let path = "\(folder)/\(Self.namePrefix)\(String(UInt64.random(in: .min ... .max), radix: 36))"
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let descriptor = SystemCall.repeated { open(path, flags, 0o644) }
    guard descriptor >= 0 else { throw .last(.write, path: path) }
    self.path = path
    self.descriptor = descriptor
    // A file system without locks only loses the cleaner's caution.
    _ = flock(descriptor, LOCK_EX | LOCK_NB)
  }

  package func fill(with data: Data, dates: FileDates) throws(FileStoreError) {
    let failure: Int32? = data.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = SystemCall.repeated {
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
  package consuming func publish(as target: String) throws(FileStoreError) {
    guard SystemCall.repeated({ rename(path, target) }) == 0 else { throw .last(.publish, path: target) }
    isAbandoned = false
  }

  /// Leaves the file under its temporary name for somebody to publish later.
  package consuming func keep() -> String {
    isAbandoned = false
    return path
  }

  deinit {
    if isAbandoned { unlink(path) }
    close(descriptor)
  }
}

/// The two dates of a file that the clients give a meaning to; nil leaves a date as it is.
package struct FileDates: Hashable, Sendable {
  package var access: Date?
  package var modification: Date?

  package init(access: Date? = nil, modification: Date? = nil) {
    self.access = access
    self.modification = modification
  }

  /// What `utimensat` and its kin take.
  package var times: [timespec] {
    [access.map(timespec.init(date:)) ?? .unchanged, modification.map(timespec.init(date:)) ?? .unchanged]
  }
}

extension timespec {
  #if os(Linux)
    // UTIME_OMIT and UTIME_NOW, which Swift cannot import.
    package static let unchanged = timespec(tv_sec: 0, tv_nsec: 0x3fff_fffe)
    package static let now = timespec(tv_sec: 0, tv_nsec: 0x3fff_ffff)
  #else
    package static let unchanged = timespec(tv_sec: 0, tv_nsec: -2)
    package static let now = timespec(tv_sec: 0, tv_nsec: -1)
  #endif

  /// Times that set the access date to now and leave the other. Made once: every read passes them.
  static let accessNow = [now, unchanged]

  /// Rounded down to a nanosecond; a date that no file system can hold becomes the nearest end of 64 bits.
  package init(date: Date) {
    let seconds = date.timeIntervalSince1970
    let whole = seconds.rounded(.down)
    guard let exact = Int(exactly: whole) else {
      self.init(tv_sec: seconds < 0 ? .min : .max, tv_nsec: 0)
      return
    }
    self.init(tv_sec: exact, tv_nsec: min(999_999_999, Int((seconds - whole) * 1e9)))
  }

  package var date: Date { Date(timeIntervalSince1970: Double(tv_sec) + Double(tv_nsec) / 1e9) }
}

extension FileStore {
  /// Sets the dates of a file without touching its bytes.
  package func setDates(_ dates: FileDates, of name: String) throws(FileStoreError) {
    let path = path(of: name)
    guard Self.isFileName(name) else {
      throw FileStoreError(.setDates, path: path, reason: .invalidName)
    }
    guard SystemCall.repeated({ utimensat(AT_FDCWD, path, dates.times, AT_SYMLINK_NOFOLLOW) }) == 0 else {
      throw .last(.setDates, path: path)
    }
  }
}
