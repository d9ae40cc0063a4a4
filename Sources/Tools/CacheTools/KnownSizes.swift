import FileStore
import Foundation
import Planning

/// What a plan's entries take on the device, as far as they are in the cache already.
package struct KnownSizes: Sendable {
  private let folder: String
  /// A folder that is not there, or that holds nothing, is looked into once.
  private let isEmpty: Bool
  /// Bytes of the files that are there.
  private var bytes: [Int] = []
  /// Entries that are not there yet: nobody knows their size before they are made.
  package private(set) var unknown = 0
  /// Renditions of one source share files, and those of two sources none: that would be a collision.
  private var seen: Set<String> = []

  package init(folder: String) {
    self.folder = folder
    isEmpty = FileManager.default.enumerator(atPath: folder)?.nextObject() == nil
  }

  /// Takes the renditions of one source.
  package mutating func add(_ renditions: [PlannedRendition]) {
    seen.removeAll(keepingCapacity: true)
    for rendition in renditions {
      for store in rendition.stores where seen.insert(store.fileName).inserted {
        if !isEmpty, let status = CacheFileStatus(folder: folder, name: store.fileName) {
          bytes.append(Int(status.size))
        } else {
          unknown += 1
        }
      }
    }
  }

  /// Takes what was found of other sources.
  package mutating func add(_ other: KnownSizes) {
    bytes += other.bytes
    unknown += other.unknown
  }

  package func size(of plan: Plan) -> CacheSize { plan.size(of: bytes) }
}
