/// How a run shows how far it has come.
package enum ProgressStyle: String, Sendable, Hashable, CaseIterable {
  /// A bar where a line can be rewritten in place, plain lines elsewhere.
  case auto
  /// One line, rewritten.
  case bar
  /// A line every ten seconds.
  case plain
  case none
}
