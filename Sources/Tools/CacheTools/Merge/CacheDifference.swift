import CacheBundleInstaller
import CacheStore
import Foundation

/// How two caches, two bundles, or one of each differ: entries by name and bytes.
package struct CacheDifference: Sendable, Hashable {
  package struct Entry: Sendable, Hashable {
    package var file: String
    package var key: String?
    /// Bytes; nil on the side that has no such file.
    package var oldSize: Int?
    package var newSize: Int?
  }

  package var added: [Entry] = []
  package var removed: [Entry] = []
  package var changed: [Entry] = []
  /// Files with the same bytes on both sides.
  package var same = 0
  /// Parts of the caches that could not be read.
  package var warnings: [String] = []

  package var isEmpty: Bool { added.isEmpty && removed.isEmpty && changed.isEmpty }

  package init(from old: String, to new: String) throws(ToolError) {
    let (oldContents, newContents) = (try CacheContents(old), try CacheContents(new))
    warnings = oldContents.warnings + newContents.warnings
    let (before, after) = (oldContents.files, newContents.files)
    for name in Set(before.keys).union(after.keys).sorted() {
      let (old, new) = (before[name], after[name])
      let entry = Entry(file: name, key: new?.key ?? old?.key, oldSize: old?.size, newSize: new?.size)
      if old == nil {
        added.append(entry)
      } else if new == nil {
        removed.append(entry)
      } else if old?.digest == new?.digest {
        same += 1
      } else {
        changed.append(entry)
      }
    }
  }
}

/// The files of a cache folder or a bundle with their digests.
private struct CacheContents {
  package struct File {
    package var size: Int
    package var digest: String
    package var key: String?
  }

  package var files: [String: File] = [:]
  package var warnings: [String] = []

  init(_ path: String) throws(ToolError) {
    if CacheVerifier.isBundle(path) {
      do throws(BundleFailure) {
        for entry in try BundleIndex(ofBundleOrIndex: path).entries {
          files[entry.file] = File(size: entry.size, digest: entry.sha256, key: entry.key)
        }
      } catch {
        throw ToolError(.cache(.input), "\(path): \(error.message)")
      }
      return
    }
    // The ledger spares reading files and knows keys; names and bytes can be compared without.
    let listing = try CacheListing.open(path, acceptsDamage: true)
    warnings = [listing.damage?.message].compactMap { $0 }
    for file in listing.entries {
      files[file.name] = File(
        size: file.size, digest: try listing.digest(of: file), key: listing.ledger[file.name]?.origin.key)
    }
  }
}
