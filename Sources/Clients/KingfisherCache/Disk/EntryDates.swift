import FileStore
import Foundation

/// The two dates that Kingfisher keeps in a file's attributes: when it was used last, and when it expires.
///
/// On Apple systems they are the dates of creation and of modification. Linux cannot set the former. There the
/// access date takes its place once the storage has written it, always as a whole second; as long as it has
/// a fraction, it is the system's own and the date of birth counts, which for a file that came with a bundle is the
/// moment of its unpacking, as on a device.
struct EntryDates {
  /// Nil where neither date is known; nothing can be extended then.
  var lastAccess: Date?
  var expiry: Date
}

extension EntryDates {
  init(of entry: FileEntry, in store: FileStore) {
    expiry = entry.modificationDate
    #if os(Linux)
      let access = entry.accessDate
      lastAccess = access == access.roundedUpToSecond ? access : (try? store.birthDate(of: entry.name)) ?? nil
    #else
      lastAccess = (try? store.birthDate(of: entry.name)) ?? nil
    #endif
  }

  func isExpired(at reference: Date) -> Bool { expiry <= reference }

  /// The dates after a load at `now`, nil for no change. The period is taken from the dates as they were found, so
  /// an entry whose creation is later than its expiry dies of its first load, as in Kingfisher.
  func extended(by extending: ExpirationExtending, at now: Date) -> EntryDates? {
    switch extending {
    case .none: return nil
    case .cacheTime:
      guard let lastAccess else { return nil }
      return EntryDates(
        lastAccess: now.roundedUpToSecond,
        expiry: ExpirationDate.clamped(now.addingTimeInterval(expiry.timeIntervalSince(lastAccess))))
    case .expirationTime(let expiration):
      let date = ExpirationDate.modificationDate(for: expiration, from: now)
      return EntryDates(lastAccess: now.roundedUpToSecond, expiry: date ?? now)
    }
  }

  /// What `FileStore` is to write.
  var fileDates: FileDates {
    #if os(Linux)
      FileDates(access: lastAccess, modification: expiry)
    #else
      FileDates(modification: expiry)
    #endif
  }

  /// Sets the dates of a file that is there.
  func write(to name: String, in store: FileStore) throws(FileStoreError) {
    #if !os(Linux)
      // Before the other: a modification date ahead stays, whatever the system makes of a new creation date.
      if let lastAccess, let url = store.url(for: name) {
        try? FileManager.default.setAttributes([.creationDate: lastAccess], ofItemAtPath: url.path)
      }
    #endif
    try store.setDates(fileDates, of: name)
  }
}

/// The date of expiry that a file on disk carries as its modification date.
///
/// Kingfisher writes `.never` as the year 4001, which no file system or archive keeps. So far dates are held within
/// what every step keeps. A reader sees no difference: any date ahead is a hit, 4001 too.
public enum ExpirationDate {
  /// 2037-12-31T00:00:00Z: the last round date that signed 32-bit seconds hold. A year before it comes, entries get
  /// a later one.
  public static let never = DistantDate.first

  /// 2099-12-31T00:00:00Z, for expirations that name a date after ``never``: ext4, APFS, tar and zip's unsigned
  /// fields hold it. An unpacker that reads zip times as signed numbers does not, so a pre-built cache that
  /// travels in zip files is better off with `.never`.
  public static let latest = Date(timeIntervalSince1970: 4_102_358_400)

  /// The modification date that a file stored at `reference` gets: a whole second, rounded up.
  ///
  /// - Returns: nil where Kingfisher would write nothing, because the entry would be expired at once.
  public static func modificationDate(for expiration: StorageExpiration, from reference: Date) -> Date? {
    guard !expiration.isExpired(at: reference) else { return nil }
    if case .never = expiration { return DistantDate.from(reference) }
    return clamped(expiration.estimatedExpiration(since: reference))
  }

  static func clamped(_ date: Date) -> Date { min(date, latest).roundedUpToSecond }
}

/// How long an entry lasts after it was stored or used: Kingfisher's `StorageExpiration`.
public enum StorageExpiration: Hashable, Sendable {
  /// The entry never expires.
  case never
  /// A period in seconds.
  case seconds(TimeInterval)
  /// Days of 86,400 seconds.
  case days(Int)
  /// The moment of expiry itself.
  case date(Date)
  /// Nothing is kept at all.
  case expired

  /// The moment at which an entry of `reference` stops being valid. `.never` is `Date.distantFuture` here; for
  /// the date that a file gets see ``ExpirationDate``.
  public func estimatedExpiration(since reference: Date) -> Date {
    switch self {
    case .never: .distantFuture
    case .seconds(let seconds): reference.addingTimeInterval(seconds)
    case .days(let days): reference.addingTimeInterval(Self.secondsPerDay * Double(days))
    case .date(let date): date
    case .expired: .distantPast
    }
  }

  /// Whether nothing is to be stored: `.expired`, a period that is not positive, a date that is past.
  public func isExpired(at reference: Date) -> Bool {
    // Not `<=`: a period that is not a number does not count.
    !(estimatedExpiration(since: reference) > reference)
  }

  static let secondsPerDay: TimeInterval = 86_400
}

extension Date {
  /// Rounded up to a whole second, as Kingfisher writes dates to files.
  var roundedUpToSecond: Date { Date(timeIntervalSince1970: timeIntervalSince1970.rounded(.up)) }
}

/// What reading an entry does to its expiration: Kingfisher's `ExpirationExtending`.
///
/// Kingfisher has had it for memory since 5.6.0 and for disk since 5.8.0; before, `.cacheTime` was the rule.
public enum ExpirationExtending: Hashable, Sendable {
  /// The entry expires when it would have.
  case none
  /// The period that the entry was stored with begins again.
  case cacheTime
  /// This period begins.
  case expirationTime(StorageExpiration)
}
