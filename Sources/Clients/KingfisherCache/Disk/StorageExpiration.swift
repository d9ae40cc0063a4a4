import Foundation

/// How long an entry lasts after it was stored or used: Kingfisher's `StorageExpiration`.
public enum StorageExpiration: Hashable, Sendable {
  case never
  case seconds(TimeInterval)
  /// Days of 86,400 seconds.
  case days(Int)
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
