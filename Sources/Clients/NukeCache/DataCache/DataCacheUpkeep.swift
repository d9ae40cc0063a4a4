#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// How `DataCache` looks after its folder, which differs from version to version: Nuke's source at the tags
/// named.
public struct DataCacheUpkeep: Hashable, Sendable {
  /// Size on disk above which a sweep removes anything: 150 MiB.
  public static let defaultSizeLimit = 157_286_400
  /// The part of the size limit that a sweep leaves.
  public static let trimRatio = 0.7

  /// A read sets the access date to now (12.9.0); before, only the file system's own rules counted.
  public let updatesAccessDateOnRead: Bool
  /// Seconds from the start to the first automatic sweep.
  public let firstSweepDelay: TimeInterval
  /// Sweeps go on, an interval apart, for as long as the cache lives (up to 12.1.3).
  public let sweepsPeriodically: Bool
  /// Seconds that lie between two automatic sweeps at least.
  public let sweepInterval: TimeInterval
  /// The date of the last sweep is kept in the folder (12.1.5). 12.1.4 kept it in the user's defaults,
  /// which does not travel with a folder.
  public let keepsSweepDate: Bool

  public init(version: NukeVersion) {
    updatesAccessDateOnRead = version >= NukeVersion(12, 9, 0)
    sweepsPeriodically = version < NukeVersion(12, 1, 4)
    firstSweepDelay = sweepsPeriodically ? 10 : 5
    sweepInterval = sweepsPeriodically ? 30 : version < NukeVersion(13, 0, 0) ? 3600 : 1800
    keepsSweepDate = version >= NukeVersion(12, 1, 5)
  }
}
