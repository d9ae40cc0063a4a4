import FileStore
import Foundation
import Text

/// What a disk cache keeps and for how long: SDWebImage's `SDImageCacheConfig`, as far as it concerns the disk.
public struct SDImageCacheConfig: Hashable, Sendable {
  /// Which date is an entry's age (`SDImageCacheConfigExpireType`). The date of a change of attributes, which SDWebImage
  /// knows besides, cannot be set by anybody and is not offered.
  public enum ExpireType: String, Hashable, Sendable, CaseIterable {
    case accessDate, modificationDate, creationDate
  }

  /// The release whose names and rules apply.
  public let version: SDWebImageVersion
  /// Seconds; a week by default. Less than 0: entries do not expire.
  public var maxDiskAge: TimeInterval = 7 * 86_400
  /// Bytes on disk above which a clean-up removes the oldest entries; 0, the default, for no limit.
  public var maxDiskSize = 0
  public var diskCacheExpireType: ExpireType

  public init(version: SDWebImageVersion = .latest) {
    self.version = version
    diskCacheExpireType = version.agesByAccess ? .accessDate : .modificationDate
  }

  /// What a clean-up removes (`removeExpiredData`, 5.0.0 to 5.21.5), in its order: all that is too old, and then, where
  /// the rest takes more than the limit, the oldest until it takes less than half of that.
  package func victims<File>(
    among files: [File], now: Date, _ facts: (File) -> SweepFacts
  ) -> (expired: [File], exceeding: [File]) {
    func isExpired(_ file: File) -> Bool {
      maxDiskAge >= 0 && facts(file).date <= now.addingTimeInterval(-maxDiskAge)
    }
    let exceeding = files.filter { !isExpired($0) }.oldest(
      facts, where: { maxDiskSize > 0 && $0 > maxDiskSize }, until: { $0 < maxDiskSize / 2 })
    return (files.filter(isExpired), exceeding)
  }
}
