/// What the engine knows of a run: while it goes, and at its end.
package struct RunReport: Sendable, Hashable {
  package var counts = RunCounts()
  /// What each cache of the run takes on a device, once it is whole.
  package var caches: [CacheSize] = []
  /// Seconds, from the monotonic clock.
  package var duration = 0.0
  /// Stopped by a signal before all was done; a later run completes it.
  package var isInterrupted = false
  /// Why the cache could no longer be written: then the run ended there.
  package var storeFailure: StoreFailure?
  /// What kept the decoders of all pictures from the system, in words; nil where nothing was decoded.
  package var confinement: [String]?
  /// Entries that no job named any more and that were removed; nil where nobody asked for it.
  package var prunedFiles: Int?
  package var prunedBytes = 0

  package init() {}
}

/// Sees a run as it goes: progress, reports, logs.
package protocol RunObserver: Sendable {
  /// A rendition is settled. Called once for each, in no fixed order, from any thread.
  func settled(_ outcome: RenditionOutcome, report: RunReport)
  /// Something that a person should know, and that stops nothing.
  func warned(_ text: String)
}

extension RunObserver {
  package func warned(_ text: String) {}
}
