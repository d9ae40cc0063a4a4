import Text

/// Something in an app, or in what it runs on, that voids a warm cache: the app finds nothing of it, or not what was made.
package struct CacheCondition: Sendable, Hashable {
  /// A short word, unique within a client: `url-cache`.
  package var name: String
  /// What voids the cache, and why, in Markdown without a full stop.
  package var condition: String
  /// The first and the last release that it applies to; nil where there is no end.
  package var first: Release?
  package var last: Release?
  /// What to write in the app or in the job, in Markdown without a full stop.
  package var remedy: String

  package init(
    _ name: String, _ condition: String, from first: Release? = nil, to last: Release? = nil, remedy: String
  ) {
    self.name = name
    self.condition = condition
    self.first = first
    self.last = last
    self.remedy = remedy
  }

  package func applies(to release: Release) -> Bool {
    (first.map { $0 <= release } ?? true) && (last.map { release <= $0 } ?? true)
  }

  /// `all`, `13.0.0 and later`, `12.7.0 to 13.0.6`.
  package var releases: String {
    switch (first, last) {
    case (nil, nil): "all"
    case (let first?, nil): "\(first) and later"
    case (nil, let last?): "up to \(last)"
    case (let first?, let last?): "\(first) to \(last)"
    }
  }
}
