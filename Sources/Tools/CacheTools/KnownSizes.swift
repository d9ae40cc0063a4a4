import CacheStore
import ClientKit
import FileStore
import Foundation
import Planning
import Text

/// Sizes of a plan's entries that are in the cache already.
package struct KnownSizes: Sendable {
  /// Entries that are likely to be of one size.
  package struct Kind: Hashable, Sendable {
    /// Empty for originals, whatever the chain that stores them.
    fileprivate var chain = ""
    /// Nil where it makes no difference.
    fileprivate var scale: Double?
    private let content: EntryContent

    package init(_ store: PlannedRendition.Store, of rendition: PlannedRendition) {
      content = store.content
      guard content != .original else { return }
      (chain, scale) = (rendition.chain, rendition.dependsOnScale ? rendition.scale : nil)
    }
  }

  private struct Share {
    var files = 0
    var bytes = 0
    var absent = 0
  }

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

  /// Entries that are not there yet: their size is unknown before they are made.
  package var unknown: Int { shares.values.reduce(0) { $0 + $1.absent } }

  /// Entries of one chain and scale; of originals the chain is empty.
  package typealias ChainSize = (chain: String, scale: Double?, absent: Int, files: Int, bytes: Int)

  /// By chain and scale.
  package var groups: [ChainSize] {
    let groups = shares.map { kind, share in
      (chain: kind.chain, scale: kind.scale, absent: share.absent, files: share.files, bytes: share.bytes)
    }
    return groups.sorted { ($0.chain, $0.scale ?? 0) < ($1.chain, $1.scale ?? 0) }
  }

  /// Files that renditions of one source share count once.
  package mutating func beginSource() { seen.removeAll(keepingCapacity: true) }

  package mutating func add(_ rendition: PlannedRendition) {
    for store in rendition.stores { add(store.fileName, Kind(store, of: rendition)) }
  }

  package mutating func add(_ fileName: String, _ kind: Kind) {
    guard seen.insert(ByteText(fileName)).inserted else { return }
    var status: CacheFileStatus?
    do throws(FileStoreError) {
      status = isEmpty ? nil : try CacheFileStatus(folder: folder, name: fileName)
    } catch {
      failure = error
    }
    if let status {
      bytes.append(Int(status.size))
      shares[kind, default: Share()].files += 1
      shares[kind, default: Share()].bytes += Int(status.size)
    } else {
      shares[kind, default: Share()].absent += 1
    }
  }

  /// Takes what was found of other sources.
  package mutating func add(_ other: KnownSizes) {
    bytes += other.bytes
    failure = failure ?? other.failure
    shares.merge(other.shares) { a, b in
      Share(files: a.files + b.files, bytes: a.bytes + b.bytes, absent: a.absent + b.absent)
    }
  }

  package func size(of plan: Plan) -> CacheSize { plan.size(of: bytes) }

  /// The size after a run, if new entries are as large as those of their chain are on average.
  package func forecast(of plan: Plan) -> SizeForecast {
    var sizes = bytes
    for share in shares.values where share.files > 0 {
      sizes += Array(repeating: share.bytes / share.files, count: share.absent)
    }
    let known = bytes.reduce(0, +)
    return SizeForecast(
      size: plan.size(of: sizes), newFiles: sizes.count - bytes.count,
      newBytes: sizes.reduce(0, +) - known, unknown: unknown - (sizes.count - bytes.count))
  }
}

/// How large a cache will be.
package struct SizeForecast: Sendable, Hashable {
  /// With the new entries whose size can be estimated.
  package var size: CacheSize
  package var newFiles: Int
  package var newBytes: Int
  /// New entries of chains of which the cache has none.
  package var unknown: Int
}
