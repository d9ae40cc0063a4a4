import Planning

/// A run against the one before it, by the entries that both left in their caches.
package struct RunComparison: Sendable {
  package enum Change: String, Sendable, Hashable, CaseIterable {
    /// The run before did not have it.
    case new
    /// It was made again and is another file now.
    case changed
    /// It was made again; its size is the same, or that before is not known.
    case again
  }

  /// The run before.
  package let previous: RunSummary
  private var caches: Set<String> = []
  private var entries: [Entry: RenditionRecord] = [:]

  private struct Entry: Hashable {
    var cache: String
    var key: String

    init(_ rendition: RenditionRecord) {
      cache = rendition.cache
      key = rendition.key
    }
  }

  package init(_ previous: RunSummary) { self.previous = previous }

  /// - Parameters:
  ///   - previous: what is known of the run before on this cache; it may tell of other caches too.
  ///   - cache: its path.
  package mutating func add(_ previous: RunRecord, cache: String) {
    caches.insert(cache)
    for rendition in previous.renditions where rendition.isInCache && rendition.cache == cache {
      entries[Entry(rendition)] = rendition
    }
  }

  /// Whether anything is known of a cache before.
  func covers(_ cache: String) -> Bool { caches.contains(cache) }

  /// What the run before had for a rendition. Each is given once: what is left in the end is gone.
  mutating func take(_ rendition: RenditionRecord) -> RenditionRecord? {
    entries.removeValue(forKey: Entry(rendition))
  }

  /// What the run before had and nothing asked for, in the order of the jobs.
  var rest: [RenditionRecord] {
    entries.values.sorted { ($0.file, $0.line, $0.key) < ($1.file, $1.line, $1.key) }
  }
}

extension RenditionRecord {
  /// Whether its entry is in the cache.
  var isInCache: Bool { status == .made || status == .current }
}
