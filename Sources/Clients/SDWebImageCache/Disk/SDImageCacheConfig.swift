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
}

/// What a clean-up removes (`removeExpiredData`, 5.0.0 to 5.21.5): all that is too old, and then, where the rest takes
/// more than the limit, the oldest until it takes less than half of that.
package struct DiskCleaning: Sendable {
  /// Nil for entries that do not expire.
  package var maxAge: TimeInterval?
  package var maxSize: Int

  package init(_ config: SDImageCacheConfig) {
    maxAge = config.maxDiskAge < 0 ? nil : config.maxDiskAge
    maxSize = config.maxDiskSize
  }

  package struct Candidate: Sendable {
    package var path: String
    package var date: Date
    package var allocatedSize: Int

    package init(path: String, date: Date, allocatedSize: Int) {
      self.path = path
      self.date = date
      self.allocatedSize = allocatedSize
    }
  }

  /// Indices of `candidates` in the order of removal.
  package func victims(
    among candidates: [Candidate], now: Date
  ) -> (expired: [Int], exceeding: [Int]) {
    let limit = maxAge.map { now.addingTimeInterval(-$0) }
    func isExpired(_ index: Int) -> Bool { limit.map { candidates[index].date <= $0 } ?? false }
    let expired = candidates.indices.filter(isExpired)
    let rest = candidates.indices.filter { !isExpired($0) }
    var size = rest.reduce(0) { $0 + candidates[$1].allocatedSize }
    guard maxSize > 0, size > maxSize else { return (expired, []) }
    // Equal dates go by path, so that the same folder always loses the same files; the client's order is any.
    let oldestFirst = rest.sorted {
      (candidates[$0].date, candidates[$0].path) < (candidates[$1].date, candidates[$1].path)
    }
    var exceeding: [Int] = []
    for index in oldestFirst {
      exceeding.append(index)
      size -= candidates[index].allocatedSize
      if size < maxSize / 2 { break }
    }
    return (expired, exceeding)
  }
}
