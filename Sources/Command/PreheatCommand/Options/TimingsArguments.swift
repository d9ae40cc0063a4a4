import Signposts

/// What `preheat timings` is told.
package struct TimingsArguments: Sendable, Hashable {
  package var common: CommonArguments
  /// Signpost logs, taken together.
  package var logs: [String]
  /// The log to compare with, the older one.
  package var other: String?
  package var grouping: SignpostGrouping?
  package var hasHistogram: Bool

  package init(_ values: OptionValues) throws(UsageError) {
    common = try CommonArguments(values)
    logs = values.words
    other = values.text("compare")
    grouping = values.text("by").flatMap(SignpostGrouping.init)
    hasHistogram = values.flag("histogram")
  }
}
