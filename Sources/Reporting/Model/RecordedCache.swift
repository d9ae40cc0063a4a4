/// What a cache takes, against what the app lets it take.
public struct RecordedCache: Sendable, Hashable, Codable {
  public var path: String
  /// `nuke 12.9.0`.
  public var client: String
  public var files: Int
  public var bytes: Int
  /// Bytes in whole blocks of the device.
  public var allocatedBytes: Int
  /// 0 for none.
  public var sizeLimit: Int

  public init(
    path: String, client: String, files: Int, bytes: Int, allocatedBytes: Int, sizeLimit: Int
  ) {
    self.path = path
    self.client = client
    self.files = files
    self.bytes = bytes
    self.allocatedBytes = allocatedBytes
    self.sizeLimit = sizeLimit
  }

  var isNuke: Bool { client.hasPrefix("nuke") }

  /// What the client counts: Nuke allocated bytes (`DataCache`, 10.0.0 and later), Kingfisher those of the
  /// content (`DiskStorage`, 5.0.0 and later).
  public var countedBytes: Int { isNuke ? allocatedBytes : bytes }

  /// Down to which size the client removes entries once the limit is passed: Nuke 70 % (`DataCache.trimRatio`),
  /// Kingfisher half of it.
  public var sweepTarget: Int { sizeLimit / 10 * (isNuke ? 7 : 5) }
}
