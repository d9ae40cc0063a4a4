/// Sees a run as it goes: progress, reports, logs.
public protocol RunObserver: Sendable {
  /// A rendition is settled. Called once for each, in no fixed order, from any thread.
  func settled(_ outcome: RenditionOutcome, report: RunReport)
}
