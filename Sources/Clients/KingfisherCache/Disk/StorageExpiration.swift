import FileStore
import Foundation

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

  /// The moment at which an entry of `reference` stops being valid. `.never` is `Date.distantFuture` here.
  func date(since reference: Date) -> Date {
    switch self {
    case .never: .distantFuture
    case .seconds(let seconds): reference.addingTimeInterval(seconds)
    case .days(let days): reference.addingTimeInterval(86_400 * Double(days))
    case .date(let date): date
    case .expired: .distantPast
    }
  }

  /// Whether nothing is to be stored: `.expired`, a period that is not positive, a date that is past.
  func isExpired(at reference: Date) -> Bool {
    // Not `<=`: a period that is not a number does not count.
    !(date(since: reference) > reference)
  }
}

/// The date of expiry that a file on disk carries as its modification date.
///
/// Kingfisher writes `.never` as the year 4001, which no file system or archive keeps. So far dates are held within
/// what every step keeps. A reader sees no difference: any date ahead is a hit, 4001 too.
extension StorageExpiration {
  /// 2099-12-31T00:00:00Z, for expirations that name a later date: ext4, APFS, tar and zip's unsigned fields hold it.
  static let latest = Date(timeIntervalSince1970: 4_102_358_400)

  /// The modification date that a file stored at `reference` gets: a whole second, rounded up; nil where Kingfisher would
  /// write nothing, because the entry would be expired at once.
  func modificationDate(from reference: Date) -> Date? {
    guard !isExpired(at: reference) else { return nil }
    if case .never = self { return DistantDate.from(reference) }
    return Self.clamped(date(since: reference))
  }

  static func clamped(_ date: Date) -> Date { min(date, latest).roundedUpToSecond }
}
