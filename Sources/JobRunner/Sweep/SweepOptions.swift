import Foundation

/// How a cache is trimmed.
public struct SweepOptions: Sendable, Hashable {
  /// Needed where the cache has no ledger beside it.
  public var client: CacheClient?
  /// Bytes that the app lets its cache take; nil for the client's own default (Nuke 150 MiB, Kingfisher none).
  public var sizeLimit: Int?
  /// What expiry dates are compared with.
  public var now = Date()
  /// Say what would go, and remove nothing.
  public var isDryRun = false
  /// Wait for a run on the same cache instead of failing.
  public var waitsForLock = false

  public init() {}
}
