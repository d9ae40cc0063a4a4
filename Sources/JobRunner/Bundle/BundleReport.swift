/// What a bundle holds.
public struct BundleReport: Hashable, Sendable {
  public var output: String
  public var id: String
  public var client: CacheClient
  /// Files in the bundle, and their bytes.
  public var files = 0
  public var bytes = 0
  /// Files that the older state has already.
  public var unchanged = 0
  /// Files that the older state had and this one has not.
  public var removed = 0
  /// Names of entries that were left out to keep within the size that was asked for.
  public var dropped: [String] = []
  /// Files in the cache folder that nothing vouches for; they are left out.
  public var foreign: [String] = []
  /// Files that the ledger knows and the folder has not.
  public var missing: [String] = []
  /// What the cache takes once it is installed, in blocks of the device.
  public var allocatedBytes = 0
}
