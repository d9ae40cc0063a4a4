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
    let (before, after) = (try Self.files(of: old, &warnings), try Self.files(of: new, &warnings))
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

  private typealias File = (size: Int, digest: String, key: String?)

  /// The files of a cache folder or a bundle with their digests.
  private static func files(
    of path: String, _ warnings: inout [String]
  ) throws(ToolError) -> [String: File] {
    var files: [String: File] = [:]
    if CacheVerifier.isBundle(path) {
      do throws(BundleFailure) {
        for entry in try BundleIndex(ofBundleOrIndex: path).entries {
          files[entry.file] = (entry.size, entry.sha256, entry.key)
        }
      } catch {
        throw ToolError(.cache(.input), "\(path): \(error.message)")
      }
      return files
    }
    // The ledger spares reading files and knows keys; names and bytes can be compared without.
    let listing = try CacheListing.open(path, acceptsDamage: true)
    if let damage = listing.damage { warnings.append(damage.message) }
    for file in listing.entries {
      let key = listing.ledger[file.name]?.origin.key
      files[file.name] = (file.size, try listing.digest(of: file), key)
    }
    return files
  }
}
