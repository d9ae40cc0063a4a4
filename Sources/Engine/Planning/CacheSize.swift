/// What a cache takes on the device, against what the app lets it take.
package struct CacheSize: Sendable, Hashable {
  /// The cache folder.
  package var cache: String
  package var files: Int
  /// Bytes of content.
  package var bytes: Int
  /// Bytes on the device, where a file takes whole blocks: what Nuke's limit counts.
  package var allocatedBytes: Int
  /// The app's limit; 0 for none.
  package var sizeLimit: Int
  package var client: CacheClient

  /// A block of APFS.
  static let blockSize = 4096

  /// The app's first sweep will remove entries.
  package var isBeyondLimit: Bool {
    guard sizeLimit > 0 else { return false }
    // Nuke counts allocated bytes (`DataCache`, 10.0.0 and later), Kingfisher those of the content, and it sweeps at the
    // limit already (`DiskStorage`, 5.0.0 and later).
    return switch client {
    case .nuke: allocatedBytes > sizeLimit
    case .kingfisher: bytes >= sizeLimit
    }
  }

  package init(settings: JobSettings, fileSizes: some Sequence<Int>) {
    cache = settings.cache
    sizeLimit = settings.sizeLimit
    client = settings.client
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
