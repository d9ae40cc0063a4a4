/// What a sweep has removed, or would remove.
public struct SweepReport: Sendable, Hashable {
  public var cache: String
  public var client: CacheClient
  /// Bytes; 0 for none.
  public var sizeLimit: Int
  public var isDryRun = false
  public var filesBefore = 0
  /// As the client's limit counts: Nuke allocated bytes, Kingfisher those of the content.
  public var bytesBefore = 0
  /// In the order of removal.
  public var removed: [Removed] = []

  public init(cache: String, client: CacheClient, sizeLimit: Int) {
    self.cache = cache
    self.client = client
    self.sizeLimit = sizeLimit
  }

  public var bytesRemoved: Int { removed.reduce(0) { $0 + $1.size } }

  public struct Removed: Sendable, Hashable {
    public var file: String
    public var size: Int
    /// `expired` or `size`.
    public var reason: String
    /// Where the ledger knows it.
    public var key: String?
  }
}
