/// What a cache takes, against what the app lets it take.
package struct RecordedCache: Sendable, Hashable, Codable {
  package var path: String
  /// `nuke 12.9.0`.
  package var client: String
  package var files: Int
  package var bytes: Int
  /// Bytes in whole blocks of the device.
  package var allocatedBytes: Int
  /// 0 for none.
  package var sizeLimit: Int

  package init(
    path: String, client: String, files: Int, bytes: Int, allocatedBytes: Int, sizeLimit: Int
  ) {
    self.path = path
    self.client = client
    self.files = files
    self.bytes = bytes
    self.allocatedBytes = allocatedBytes
    self.sizeLimit = sizeLimit
  }

  package var isNuke: Bool { client.hasPrefix("nuke") }

  /// What the client counts: Nuke allocated bytes (`DataCache`, 10.0.0 and later), Kingfisher those of the
  /// content (`DiskStorage`, 5.0.0 and later).
  package var countedBytes: Int { isNuke ? allocatedBytes : bytes }

  /// Down to which size the client removes entries once the limit is passed: Nuke 70 % (`DataCache.trimRatio`),
  /// Kingfisher half of it.
  package var sweepTarget: Int { sizeLimit / 10 * (isNuke ? 7 : 5) }
}
