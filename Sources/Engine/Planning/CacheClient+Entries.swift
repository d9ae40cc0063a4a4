import Foundation
import KingfisherCache
import NukeCache
import Planning

/// What tells a client's own files from others, and when they die.
extension CacheClient {
  /// Bytes that the client lets its cache take where the app says nothing; 0 for no limit.
  package var defaultSizeLimit: Int {
    switch self {
    case .nuke: DataCacheUpkeep.defaultSizeLimit
    case .kingfisher: 0
    }
  }

  /// Whether a name has the form of the client's names: the digest of a key, with Kingfisher also an extension.
  package func isEntryName(_ name: String) -> Bool {
    switch self {
    case .nuke: Self.isDigest(name[...], length: 40)
    case .kingfisher(let version):
      Self.isDigest(
        name.prefix { $0 != "." }, length: version >= KingfisherVersion(8, 0, 0) ? 64 : 32)
    }
  }

  private static func isDigest(_ text: Substring, length: Int) -> Bool {
    text.utf8.count == length && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }

  /// Whether a key has this name. Extensions are the app's choice, which only its job knows.
  package func isName(_ name: String, ofKey key: String) -> Bool {
    switch self {
    case .nuke: return CacheKeyFormat.fileName(forKey: key) == name
    case .kingfisher(let version):
      let format = KingfisherKeyFormat(version: version)
      guard let hash = try? format.fileNames(forComputedKey: key).first else { return false }
      return name == hash || name.hasPrefix(hash + ".")
    }
  }

  /// When an entry expires by its modification date; nil where the client's entries do not.
  package func expiry(modified: Date) -> Date? {
    switch self {
    case .nuke: nil
    case .kingfisher: modified
    }
  }

  /// Whether the client reads a stamp in the folder that keeps its first sweep away (Nuke 12.1.5 and later).
  package var keepsSweepDate: Bool {
    switch self {
    case .nuke(let version): DataCacheUpkeep(version: version).keepsSweepDate
    case .kingfisher: false
    }
  }
}
