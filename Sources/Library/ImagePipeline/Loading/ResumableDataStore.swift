import Concurrency
import Fetching

/// Beginnings of downloads that were cut off, for the next request of the same image to go on from. Held
/// in memory only: at most 100 of 32 MB together, as Nuke does.
final class ResumableDataStore: Sendable {
  package static let shared = ResumableDataStore()

  package struct Key: Hashable, Sendable {
    package var pipeline: ObjectIdentifier
    package var imageID: String
  }

  private let parts: Locked<LRUCache<Key, HTTPPartialBody>>

  init(costLimit: Int = 32_000_000, countLimit: Int = 100) {
    parts = Locked(LRUCache(costLimit: costLimit, countLimit: countLimit))
  }

  /// Takes the part out: if the next try is cut off too, it puts back more.
  package func take(_ key: Key) -> HTTPPartialBody? {
    parts.withLock { $0.removeValue(forKey: key) }
  }

  package func put(_ part: HTTPPartialBody, for key: Key) {
    parts.withLock { $0.insert(part, forKey: key, cost: part.bytes.count) }
  }
}
