import ClientKit
import Foundation
import Planning

/// How a cache is trimmed.
package struct SweepOptions: Sendable, Hashable {
  /// Needed where the cache has no ledger beside it.
  package var client: CacheClient?
  /// Bytes that the app lets its cache take; nil for the client's own default (Nuke 150 MiB, Kingfisher none).
  package var sizeLimit: Int?
  /// What expiry dates are compared with.
  package var now = Date()
  /// Say what would go, and remove nothing.
  package var isDryRun = false
  /// Wait for a run on the same cache instead of failing.
  package var waitsForLock = false

  package init() {}
}
