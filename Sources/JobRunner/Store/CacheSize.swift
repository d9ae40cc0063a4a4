import CacheCore

/// What a cache takes on the device, against what the app lets it take.
public struct CacheSize: Sendable, Hashable {
  /// The cache folder.
  public var cache: String
  public var files: Int
  /// Bytes of content.
  public var bytes: Int
  /// Bytes on the device, where a file takes whole blocks: what the app's limit counts.
  public var allocatedBytes: Int
  /// The app's limit.
  public var sizeLimit: Int

  /// A block of APFS.
  static let blockSize = 4096

  /// The app's first sweep will remove entries.
  public var isBeyondLimit: Bool { allocatedBytes > sizeLimit }

  init(cache: String, sizeLimit: Int, fileSizes: some Sequence<Int>) {
    self.cache = cache
    self.sizeLimit = sizeLimit
    files = 0
    bytes = 0
    allocatedBytes = 0
    for size in fileSizes {
      files += 1
      bytes += size
      allocatedBytes += (size + Self.blockSize - 1) / Self.blockSize * Self.blockSize
    }
  }
}
