import ClientKit
import Planning

/// What a bundle holds.
package struct BundleReport: Hashable, Sendable {
  package var output: String
  package var id: String
  package var client: CacheClient
  /// Files in the bundle, and their bytes.
  package var files = 0
  package var bytes = 0
  /// Files that the older state has already.
  package var unchanged = 0
  /// Files that the older state had and this one has not.
  package var removed = 0
  /// Names of entries that were left out to keep within the size that was asked for.
  package var dropped: [String] = []
  /// Files in the cache folder that nothing vouches for; they are left out.
  package var foreign: [String] = []
  /// Files that the ledger knows and the folder has not.
  package var missing: [String] = []
  /// What the cache takes once it is installed, in blocks of the device.
  package var allocatedBytes = 0
}
