import ClientKit

/// What a cache takes on the device, against what the app lets it take.
package struct CacheSize: Sendable, Hashable {
  /// The cache folder.
  package var cache: String
  package var client: CacheClient
  package var files = 0
  /// Bytes of content.
  package var bytes = 0
  /// Bytes on the device, where a file takes whole blocks.
  package var allocatedBytes = 0
  /// The app's limit; 0 for none.
  package var sizeLimit: Int
  package var rules: FolderRules

  /// A block of APFS.
  private static let blockSize = 4096

  /// - Parameter sizeLimit: the app's own limit; nil for the client's.
  package init(
    cache: String, client: CacheClient, rules: FolderRules, sizeLimit: Int?, fileSizes: some Sequence<Int>
  ) {
    self.cache = cache
    self.client = client
    self.rules = rules
    self.sizeLimit = sizeLimit ?? rules.defaultSizeLimit
    for size in fileSizes {
      files += 1
      bytes += size
      allocatedBytes += (size + Self.blockSize - 1) / Self.blockSize * Self.blockSize
    }
  }

  /// What the client's limit counts.
  package var countedBytes: Int { rules.counting == .allocatedBytes ? allocatedBytes : bytes }

  /// The app's first sweep will remove entries.
  package var isBeyondLimit: Bool { rules.isBeyond(sizeLimit, bytes: countedBytes) }

  /// Down to which size the client removes entries once the limit is passed.
  package var sweepTarget: Int { Int(Double(sizeLimit / 10) * (rules.sweepKeeps * 10).rounded()) }
}

extension Plan {
  /// The size of the plan's cache, from the sizes of its files.
  package func size(of fileSizes: some Sequence<Int>) -> CacheSize {
    CacheSize(
      cache: settings.cache, client: settings.client, rules: client.folder, sizeLimit: settings.sizeLimit,
      fileSizes: fileSizes)
  }
}
