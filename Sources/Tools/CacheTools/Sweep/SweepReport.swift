import ClientKit
import Planning

/// What a sweep has removed, or would remove.
package struct SweepReport: Sendable, Hashable {
  package var cache: String
  package var client: CacheClient
  /// Bytes; 0 for none.
  package var sizeLimit: Int
  package var isDryRun = false
  package var filesBefore = 0
  /// As the client's limit counts: Nuke allocated bytes, Kingfisher those of the content.
  package var bytesBefore = 0
  /// In the order of removal.
  package var removed: [Removed] = []

  package init(cache: String, client: CacheClient, sizeLimit: Int) {
    self.cache = cache
    self.client = client
    self.sizeLimit = sizeLimit
  }

  package var bytesRemoved: Int { removed.reduce(0) { $0 + $1.size } }

  package struct Removed: Sendable, Hashable {
    package var file: String
    package var size: Int
    /// `expired` or `size`.
    package var reason: String
    /// Where the ledger knows it.
    package var key: String?
  }
}
