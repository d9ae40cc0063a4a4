import Bundles
import CacheBundleInstaller
import CacheStore
import FileStore
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

    package enum Kind: String, Sendable, Hashable, CaseIterable { case added, removed, changed }

    package var kind: Kind { oldSize == nil ? .added : newSize == nil ? .removed : .changed }
  }

  /// What differs, in the order of the names.
  private var entries: [Entry] = []
  package var added: [Entry] { entries.filter { $0.kind == .added } }
  package var removed: [Entry] { entries.filter { $0.kind == .removed } }
  package var changed: [Entry] { entries.filter { $0.kind == .changed } }
  /// Files with the same bytes on both sides.
  package var same = 0
  /// Parts of the caches that could not be read.
  package var warnings: [String] = []

  package var isEmpty: Bool { entries.isEmpty }

  package init(from old: String, to new: String, calls: FileCalls = .system) throws {
    let before = try Self.files(of: old, calls, &warnings)
    let after = try Self.files(of: new, calls, &warnings)
    for name in Set(before.places.keys).union(after.places.keys).sorted() {
      try note(before.places[name].map(before.file), after.places[name].map(after.file), of: name.text)
    }
  }

  private mutating func note(_ old: File?, _ new: File?, of name: String) throws {
    if let old, let new, old.size == new.size, try old.digest() == new.digest() {
      same += 1
      return
    }
    entries.append(
      Entry(
        file: name, key: new?.key ?? old?.key, source: (new?.key == nil ? old : new)?.source,
        oldSize: old?.size, newSize: new?.size))
  }

  /// A digest is made where the sizes do not tell.
  private typealias File = (size: Int, digest: () throws -> String, key: String?, source: String?)

  /// The places of one side's names, and the file of each: what is known of a file is made when its turn comes.
  private typealias Side = (places: [ByteText: Int], file: (Int) -> File)

  /// The files of a cache folder or a bundle with their digests.
  private static func files(
    of path: String, _ calls: FileCalls, _ warnings: inout [String]
  ) throws -> Side {
    if try CacheVerifier.isBundle(path) {
      let entries: [BundleIndex.Entry]
      do { entries = try BundleIndex(ofBundleOrIndex: path).entries } catch {
        throw ToolError(.cache(error.code == .unreadable ? .read : .input), "\(path): \(error.message)")
      }
      return (
        places(of: entries.map(\.file)),
        { place in
          let entry = entries[place]
          return (entry.size, { entry.sha256 }, entry.key, entry.source)
        }
      )
    }
    // The ledger spares reading files and knows keys; names and bytes can be compared without.
    let listing = try CacheListing.open(path, acceptsDamage: true, calls: calls)
    if let damage = listing.damage { warnings.append(damage.message) }
    return (
      places(of: listing.entries.map(\.name)),
      { place in
        let file = listing.entries[place]
        let row = listing.ledger[file.name]
        return (file.size, { try listing.digest(of: file, row) }, row?.origin.key, row?.origin.source)
      }
    )
  }

  private static func places(of names: [String]) -> [ByteText: Int] {
    Dictionary(zip(names.lazy.map { ByteText($0) }, names.indices)) { $1 }
  }
}
