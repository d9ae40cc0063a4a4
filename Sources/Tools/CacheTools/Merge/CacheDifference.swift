import Bundles
import CacheBundleInstaller
import CacheStore
import FileStore
import Foundation
import Text

/// How two caches, two bundles, or one of each differ: entries by name and bytes.
package struct CacheDifference: Sendable, Hashable {
  package struct Entry: Sendable, Hashable {
    package var file: String
    package var key: String?
    /// The source's URL without credentials.
    package var source: String?
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

  package init(from old: String, to new: String, calls: FileCalls = .system) throws(ToolError) {
    let (before, after) = (
      try Self.files(of: old, calls, &warnings), try Self.files(of: new, calls, &warnings)
    )
    var places = (old: 0, new: 0)
    while let name = [before.names[places.old...].first, after.names[places.new...].first]
      .compactMap({ $0 }).min()
    {
      let old = before.names[places.old...].first == name ? before.file(places.old) : nil
      let new = after.names[places.new...].first == name ? after.file(places.new) : nil
      try note(old, new, of: name.text)
      places.old += old == nil ? 0 : 1
      places.new += new == nil ? 0 : 1
    }
  }

  private mutating func note(_ old: File?, _ new: File?, of name: String) throws(ToolError) {
    let entry = Entry(
      file: name, key: new?.key ?? old?.key, source: (new?.key == nil ? old : new)?.source,
      oldSize: old?.size, newSize: new?.size)
    if old == nil {
      added.append(entry)
    } else if new == nil {
      removed.append(entry)
    } else if old?.size == new?.size, try old?.digest() == new?.digest() {
      same += 1
    } else {
      changed.append(entry)
    }
  }

  /// A digest is made where the sizes do not tell.
  private typealias File = (
    size: Int, digest: () throws(ToolError) -> String, key: String?, source: String?
  )

  /// The names of one side in their order, and the file of each: what is known of a file is made when its turn comes.
  private typealias Side = (names: [ByteText], file: (Int) -> File)

  /// The files of a cache folder or a bundle with their digests.
  private static func files(
    of path: String, _ calls: FileCalls, _ warnings: inout [String]
  ) throws(ToolError) -> Side {
    if try CacheVerifier.isBundle(path) {
      let entries: [BundleIndex.Entry]
      do throws(BundleFailure) {
        entries = try BundleIndex(ofBundleOrIndex: path).entries.sorted {
          ByteText($0.file) < ByteText($1.file)
        }
      } catch {
        throw ToolError(.cache(error.code == .unreadable ? .read : .input), "\(path): \(error.message)")
      }
      return (
        entries.map { ByteText($0.file) },
        { place in
          let entry = entries[place]
          return (entry.size, { entry.sha256 }, entry.key, entry.source)
        }
      )
    }
    // The ledger spares reading files and knows keys; names and bytes can be compared without.
    let listing = try CacheListing.open(path, acceptsDamage: true, calls: calls)
    if let damage = listing.damage { warnings.append(damage.message) }
    let entries = listing.entries.sorted { ByteText($0.name) < ByteText($1.name) }
    return (
      entries.map { ByteText($0.name) },
      { place in
        let file = entries[place]
        let row = listing.ledger[file.name]
        return (
          file.size, { () throws(ToolError) in try listing.digest(of: file, row) }, row?.origin.key,
          row?.origin.source
        )
      }
    )
  }
}
