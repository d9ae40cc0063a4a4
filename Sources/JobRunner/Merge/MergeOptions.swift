/// How caches are joined.
public struct MergeOptions: Sendable, Hashable {
  /// The cache folder to be made.
  public var output: String
  /// Needed where the caches have no ledgers beside them.
  public var client: CacheClient?
  /// Which of two different files of one name is taken; nil to refuse.
  public var preference: Preference?
  /// Give the files second names instead of copying them: quick and free, but dates are shared from then on.
  public var links = false
  /// Wait for runs on the caches instead of failing.
  public var waitsForLock = false

  public init(output: String) {
    self.output = output
  }

  public enum Preference: String, Sendable, Hashable, CaseIterable {
    /// In the order in which the caches are named.
    case first, last
    /// By modification date; with Kingfisher that is what expires last.
    case newest
  }
}
