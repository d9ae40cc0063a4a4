import Foundation

/// When an entry expires, as `expires` says it.
package enum JobExpiry: Hashable, Sendable {
  /// So far ahead that neither shipping nor a second run matters, see ``endOfTime``.
  case never
  /// Seconds from the start of the run.
  case after(seconds: Int)
  case date(Date)

  /// 2037-12-31: what ext4, tar, zip's 32-bit field and APFS all hold as it is. The client's own `.never`, the year
  /// 4001, comes back from most of them as another date, some of them in the past.
  package static let endOfTime = Date(timeIntervalSince1970: 2_145_830_400)

  /// The modification date that an entry gets: whole seconds, as the client writes them (`DiskStorage`, 5.0.0
  /// and later).
  package func date(from start: Date) -> Date {
    switch self {
    case .never: Self.endOfTime
    case .after(let seconds):
      min(
        Date(timeIntervalSince1970: start.timeIntervalSince1970.rounded(.up) + Double(seconds)),
        Self.endOfTime)
    case .date(let date): Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.up))
    }
  }
}
