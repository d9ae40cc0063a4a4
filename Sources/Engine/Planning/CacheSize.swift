import ClientKit

/// What a cache takes on the device, against what the app lets it take.
package struct CacheSize: Sendable, Hashable, Codable {
  package var path: String
  /// `nuke 12.9.0`.
  package var client: String
  package var files: Int
  /// Bytes of content.
  package var bytes: Int
  /// Bytes on the device, where a file takes whole blocks.
  package var allocatedBytes: Int
  /// The app's limit; 0 for none.
  package var sizeLimit: Int
  /// What the client holds against its limit: one of the two numbers of bytes.
  package var countedBytes: Int
  /// Down to which size the app removes entries once the limit is passed.
  package var sweepTarget: Int
  /// The app's first sweep will remove entries.
  package var isBeyondLimit: Bool
  /// Most bytes of content that a bundle of it may have; nil where the job does not say.
  package var maxSize: Int?

  package var isBeyondMaxSize: Bool { maxSize.map { bytes > $0 } ?? false }
}

extension CacheSize {
  /// A block of APFS.
  private static let blockSize = 4096

  /// - Parameter sizeLimit: the app's own limit; nil for the client's.
  package init(
    path: String, client: CacheClient, rules: FolderRules, sizeLimit: Int?, fileSizes: some Sequence<Int>
  ) {
    var (files, bytes, allocatedBytes) = (0, 0, 0)
    for size in fileSizes {
      files += 1
      bytes += size
      allocatedBytes += (size + Self.blockSize - 1) / Self.blockSize * Self.blockSize
    }
    let limit = sizeLimit ?? rules.defaultSizeLimit
    let counted = rules.countsBlocks ? allocatedBytes : bytes
    self.init(
      path: path, client: client.description, files: files, bytes: bytes, allocatedBytes: allocatedBytes,
      sizeLimit: limit, countedBytes: counted,
      sweepTarget: Int(Double(limit / 10) * (rules.sweepKeeps * 10).rounded()),
      isBeyondLimit: rules.isBeyond(limit, bytes: counted))
  }
}

extension Plan {
  package func size(of fileSizes: some Sequence<Int>) -> CacheSize {
    var size = CacheSize(
      path: settings.cache, client: settings.client, rules: client.folder, sizeLimit: settings.sizeLimit,
      fileSizes: fileSizes)
    size.maxSize = settings.maxSize
    return size
  }
}
