import Planning
import Text

/// A run against the one before it, by the entries that both left in their caches.
package struct RunComparison: Sendable {
  /// As filters and sentences name it.
  package enum Change: String, Sendable, Hashable, CaseIterable {
    /// The run before did not have it.
    case new
    /// It was made again and is another file now.
    case changed
    /// It was made again; its size is the same, or that before is not known.
    case again = "made again"
  }

  /// The run before.
  package let previous: RunSummary
  /// By cache and key.
  private var entries: [ByteText: [ByteText: RenditionRecord]] = [:]

  package init(_ previous: RunSummary) { self.previous = previous }

  /// - Parameters:
  ///   - previous: what is known of the run before on this cache; it may tell of other caches too.
  ///   - cache: its path.
  package mutating func add(_ previous: RunRecord, cache: String) {
    entries[ByteText(cache), default: [:]].merge(
      previous.renditions.lazy.filter { $0.isInCache && $0.cache.hasBytes(of: cache) }
        .map { (ByteText($0.key), $0) }
    ) { $1 }
  }

  /// Whether anything is known of a cache before.
  func covers(_ cache: String) -> Bool { entries[ByteText(cache)] != nil }

  /// What the run before had for a rendition. Each is given once: what is left in the end is gone.
  mutating func take(_ rendition: RenditionRecord) -> RenditionRecord? {
    entries[ByteText(rendition.cache)]?.removeValue(forKey: ByteText(rendition.key))
  }

  /// What the run before had and nothing asked for, in the order of the jobs.
  var rest: [RenditionRecord] {
    entries.values.flatMap(\.values).sorted { ($0.file, $0.line, $0.key) < ($1.file, $1.line, $1.key) }
  }
}

extension RenditionRecord {
  /// Whether its entry is in the cache.
  var isInCache: Bool { status == .made || status == .current }
}
