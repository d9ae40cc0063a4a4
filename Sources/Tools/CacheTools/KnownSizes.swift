import FileStore
import Foundation
import Planning
import Text

/// A plan's entries by chain and scale: how many are in the cache already, and how large.
package struct KnownSizes: Sendable {
  private struct Kind: Hashable {
    /// Empty for originals, whatever the chain that stores them.
    var chain = ByteText("")
    /// Nil where it makes no difference.
    var scale: Double?
  }

  private typealias Share = (absent: Int, files: Int, bytes: Int)

  private let folder: String
  /// A folder that is not there, or that holds nothing, is looked into once.
  package let isEmpty: Bool
  /// Bytes of the files that are there.
  private var bytes: [Int] = []
  /// Why it is not known of all files whether they are there.
  package private(set) var failure: FileStoreError?
  private var shares: [Kind: Share] = [:]
  /// Renditions of one source share files, and those of two sources none: that would be a collision.
  private var seen: Set<ByteText> = []

  package init(folder: String) {
    self.folder = folder
    isEmpty = FileManager.default.enumerator(atPath: folder)?.nextObject() == nil
  }

  /// Entries that are not there yet.
  package var unknown: Int { shares.values.reduce(0) { $0 + $1.absent } }

  /// Entries of one chain and scale; of originals the chain is empty.
  package typealias ChainSize = (chain: String, scale: Double?, absent: Int, files: Int, bytes: Int)

  package var groups: [ChainSize] {
    shares.map { ($0.chain.text, $0.scale, $1.absent, $1.files, $1.bytes) }
      .sorted { ($0.0, $0.1 ?? 0) < ($1.0, $1.1 ?? 0) }
  }

  /// Files that renditions of one source share count once.
  package mutating func beginSource() { seen.removeAll(keepingCapacity: true) }

  package mutating func add(_ rendition: PlannedRendition) {
    for store in rendition.stores where seen.insert(ByteText(store.fileName)).inserted {
      var kind = Kind()
      if store.content != .original {
        kind = Kind(
          chain: ByteText(rendition.chain), scale: rendition.dependsOnScale ? rendition.scale : nil)
      }
      var size: Int64?
      do throws(FileStoreError) {
        size = isEmpty ? nil : try CacheFileStatus(folder: folder, name: store.fileName)?.size
      } catch {
        failure = failure ?? error
      }
      let new: Share = size.map { (0, 1, Int(clamping: $0)) } ?? (1, 0, 0)
      if size != nil { bytes.append(new.bytes) }
      add(new, of: kind)
    }
  }

  private mutating func add(_ share: Share, of kind: Kind) {
    let known = shares[kind] ?? (0, 0, 0)
    shares[kind] = (known.absent + share.absent, known.files + share.files, known.bytes + share.bytes)
  }

  /// Takes what was found of other sources.
  package mutating func add(_ other: KnownSizes) {
    bytes += other.bytes
    failure = failure ?? other.failure
    for (kind, share) in other.shares { add(share, of: kind) }
  }

  package func size(of plan: Plan) -> CacheSize { plan.size(of: bytes) }
}
