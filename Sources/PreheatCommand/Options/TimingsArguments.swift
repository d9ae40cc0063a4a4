import Signposts

/// What `preheat timings` is told.
public struct TimingsArguments: Sendable, Hashable {
  public var common: CommonArguments
  /// Signpost logs, taken together.
  public var logs: [String]
  /// The log to compare with, the older one.
  public var other: String?
  public var grouping: SignpostGrouping?
  public var hasHistogram: Bool

  public init(_ values: OptionValues) throws(UsageError) {
    common = try CommonArguments(values)
    logs = values.words
    other = values.text("compare")
    grouping = values.text("by").flatMap(SignpostGrouping.init)
    hasHistogram = values.flag("histogram")
  }
}
