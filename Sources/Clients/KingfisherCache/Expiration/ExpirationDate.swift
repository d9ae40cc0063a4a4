#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The date of expiry that a file on disk carries as its modification date.
///
/// Kingfisher writes `.never` as the year 4001. No file system or archive keeps that: ext4 makes it 2446, APFS
/// counts nanoseconds up to 2262 or 2554, and the 32 bits of a zip file's extended time give back a date that may
/// be past, which means expired. So far dates are held within what every step keeps. A reader sees no difference:
/// any date ahead is a hit, 4001 too.
public enum ExpirationDate {
  /// 2037-12-31T00:00:00Z: the last round date that signed 32-bit seconds hold whatever a time zone adds. It is even,
  /// for the two-second steps of zip files.
  public static let never = Date(timeIntervalSince1970: 2_145_830_400)

  /// 2099-12-31T00:00:00Z, for expirations that name a date after ``never``: ext4, APFS, tar and zip's unsigned
  /// fields hold it. An unpacker that reads zip times as signed numbers does not, so a pre-built cache that
  /// travels in zip files is better off with `.never`.
  public static let latest = Date(timeIntervalSince1970: 4_102_358_400)

  /// The modification date that a file stored at `reference` gets: a whole second, rounded up.
  ///
  /// - Returns: nil where Kingfisher would write nothing, because the entry would be expired at once.
  public static func modificationDate(for expiration: StorageExpiration, from reference: Date) -> Date? {
    guard !expiration.isExpired(at: reference) else { return nil }
    if case .never = expiration {
      // A year before it comes, "never" has to move on.
      return reference < never.addingTimeInterval(-365 * StorageExpiration.secondsPerDay) ? never : latest
    }
    return clamped(expiration.estimatedExpiration(since: reference))
  }

  static func clamped(_ date: Date) -> Date { min(date, latest).roundedUpToSecond }
}
