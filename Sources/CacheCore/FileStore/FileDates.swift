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

/// The two dates of a file that the clients give a meaning to; nil leaves a date as it is.
public struct FileDates: Hashable, Sendable {
  public var access: Date?
  public var modification: Date?

  public init(access: Date? = nil, modification: Date? = nil) {
    self.access = access
    self.modification = modification
  }

  /// What `utimensat` and its kin take.
  var times: [timespec] {
    [access.map(timespec.init(date:)) ?? .unchanged, modification.map(timespec.init(date:)) ?? .unchanged]
  }
}

extension timespec {
  #if os(Linux)
    static let unchanged = timespec(tv_sec: 0, tv_nsec: 0x3fff_fffe)  // UTIME_OMIT, which Swift cannot import
    static let now = timespec(tv_sec: 0, tv_nsec: 0x3fff_ffff)  // UTIME_NOW
  #else
    static let unchanged = timespec(tv_sec: 0, tv_nsec: -2)
    static let now = timespec(tv_sec: 0, tv_nsec: -1)
  #endif

  /// Times that set the access date to now and leave the other. Made once: every read passes them.
  static let accessNow = [now, unchanged]

  /// Rounded down to a nanosecond; a date that no file system can hold becomes the nearest end of 64 bits.
  init(date: Date) {
    let seconds = date.timeIntervalSince1970
    let whole = seconds.rounded(.down)
    guard let exact = Int(exactly: whole) else {
      self.init(tv_sec: seconds < 0 ? .min : .max, tv_nsec: 0)
      return
    }
    self.init(tv_sec: exact, tv_nsec: min(999_999_999, Int((seconds - whole) * 1e9)))
  }

  var date: Date { Date(timeIntervalSince1970: Double(tv_sec) + Double(tv_nsec) / 1e9) }
}

extension FileStore {
  /// Sets the dates of a file without touching its bytes.
  public func setDates(_ dates: FileDates, of name: String) throws(FileStoreError) {
    let path = path(of: name)
    guard Self.isFileName(name) else {
      throw FileStoreError(.setDates, path: path, reason: .invalidName)
    }
    guard repeatingInterrupted({ utimensat(AT_FDCWD, path, dates.times, AT_SYMLINK_NOFOLLOW) }) == 0 else {
      throw .last(.setDates, path: path)
    }
  }
}
