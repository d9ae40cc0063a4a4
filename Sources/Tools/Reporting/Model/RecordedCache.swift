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
  package var sweep: Sweep

  /// What the client's own sweep goes by.
  package struct Sweep: Sendable, Hashable, Codable {
    /// The limit counts whole blocks of the device, not bytes of content.
    package var countsBlocks: Bool
    /// A cache of exactly the limit is swept already.
    package var beginsAtLimit: Bool
    /// The part of the limit that is left.
    package var keeps: Double

    package init(countsBlocks: Bool = true, beginsAtLimit: Bool = false, keeps: Double = 1) {
      self.countsBlocks = countsBlocks
      self.beginsAtLimit = beginsAtLimit
      self.keeps = keeps
    }
  }

  package init(
    path: String, client: String, files: Int, bytes: Int, allocatedBytes: Int, sizeLimit: Int,
    sweep: Sweep = Sweep()
  ) {
    self.path = path
    self.client = client
    self.files = files
    self.bytes = bytes
    self.allocatedBytes = allocatedBytes
    self.sizeLimit = sizeLimit
    self.sweep = sweep
  }

  /// What the client counts.
  package var countedBytes: Int { sweep.countsBlocks ? allocatedBytes : bytes }

  /// Whether the client removes entries.
  package var isBeyondLimit: Bool {
    sizeLimit > 0 && (sweep.beginsAtLimit ? countedBytes >= sizeLimit : countedBytes > sizeLimit)
  }

  /// Down to which size it does.
  package var sweepTarget: Int { Int(Double(sizeLimit) * sweep.keeps) }
}
