import Foundation

/// The two dates of a file that the clients give a meaning to; nil leaves a date as it is.
package struct FileDates: Hashable, Sendable {
  package var access: Date?
  package var modification: Date?

  package init(access: Date? = nil, modification: Date? = nil) {
    self.access = access
    self.modification = modification
  }

  package var times: [timespec] {
    [access.map(timespec.init(date:)) ?? .unchanged, modification.map(timespec.init(date:)) ?? .unchanged]
  }
}

extension stat {
  #if os(Linux)
    var accessTime: timespec { st_atim }
    var modificationTime: timespec { st_mtim }
    // The last change: a date of creation cannot be set here.
    var creationTime: timespec { st_ctim }
  #else
    var accessTime: timespec { st_atimespec }
    var modificationTime: timespec { st_mtimespec }
    var creationTime: timespec { st_birthtimespec }
  #endif
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

  /// Nanoseconds since 1970, held within 64 bits.
  package var nanoseconds: Int64 {
    let (whole, isBeyond) = Int64(tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isStillBeyond) = whole.addingReportingOverflow(Int64(tv_nsec))
    return isBeyond || isStillBeyond ? (tv_sec < 0 ? .min : .max) : sum
  }
}

/// Dates that stand for "never expires".
///
/// A client's own distant date, such as the year 4001, comes back from most file systems and archives as another
/// date, some of them in the past: signed 32-bit seconds end in 2038, unsigned ones in 2106, ext4 in 2446. So it is the
/// nearest end that still lies well ahead.
package enum DistantDate {
  /// The last days of 2037, 2099, 2445 and 9999, UTC. The first is even, for the two-second steps of zip files, and
  /// holds whatever a time zone adds.
  private static let ends = [2_145_830_400, 4_102_358_400, 15_021_072_000, 253_402_214_400]

  /// The first of them: what every archive and file system keeps.
  package static let first = Date(timeIntervalSince1970: 2_145_830_400)

  /// The one that is more than a year after `start`.
  package static func from(_ start: Date) -> Date {
    let year = start.timeIntervalSince1970 + 365 * 86_400
    let end = ends.first { Double($0) > year } ?? ends[ends.count - 1]
    return Date(timeIntervalSince1970: Double(end))
  }
}

extension FileStore {
  /// Sets the dates of a file without touching its bytes.
  package func setDates(_ dates: FileDates, of name: String) throws(FileStoreError) {
    let path = path(of: name)
    try check(name, .setDates)
    try calls.perform(.setDates, .setDates, path) {
      utimensat(AT_FDCWD, path, dates.times, AT_SYMLINK_NOFOLLOW)
    }
  }

  /// Sets the creation date on Apple's systems. Linux has no call for it, so nothing happens there.
  package func setCreationDate(_ date: Date, of name: String) {
    #if canImport(Darwin)
      // The order of a sweep is not worth a failure.
      try? FileManager.default.setAttributes([.creationDate: date], ofItemAtPath: path(of: name))
    #endif
  }
}
