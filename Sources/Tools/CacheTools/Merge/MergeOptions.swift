import ClientKit
import Planning

/// How caches are joined.
package struct MergeOptions: Sendable, Hashable {
  /// The cache folder to be made.
  package var output: String
  /// Needed where the caches have no ledgers beside them.
  package var client: CacheClient?
  /// Which of two different files of one name is taken; nil to refuse.
  package var preference: Preference?
  /// Give the files second names instead of copying them: quick and free, but dates are shared from then on.
  package var links = false
  /// Wait for runs on the caches instead of failing.
  package var waitsForLock = false

  package init(output: String) {
    self.output = output
  }

  package enum Preference: String, Sendable, Hashable, CaseIterable {
    /// In the order in which the caches are named.
    case first, last
    /// By modification date; with Kingfisher that is what expires last.
    case newest
  }
}
