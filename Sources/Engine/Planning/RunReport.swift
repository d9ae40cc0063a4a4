/// The counts of a run; they add up to the plan.
package struct RunReport: Sendable, Hashable {
  package var planned = 0
  package var made = 0
  package var current = 0
  package var notStored = 0
  package var failed = 0
  /// Of `failed`: those that a later run may make without any change.
  package var retryable = 0
  /// Sources fetched, and bytes of their bodies.
  package var sourcesFetched = 0
  package var bytesFetched = 0
  /// Sources that are still what they were, by the word of their servers: no body was transferred.
  package var sourcesValidated = 0
  /// Sources whose body came out of the HTTP cache.
  package var sourcesCached = 0
  package var filesWritten = 0
  package var bytesWritten = 0
  /// What each cache of the run takes on a device, once it is whole.
  package var caches: [CacheSize] = []
  /// Seconds, from the monotonic clock.
  package var duration = 0.0
  /// Stopped by a signal before all was done; a later run completes it.
  package var isInterrupted = false
  /// Why the cache could no longer be written: then the run ended there.
  package var storeFailure: StoreFailure?

  package init() {}

  package mutating func count(_ status: RenditionOutcome.Status) {
    switch status {
    case .made: made += 1
    case .current: current += 1
    case .notStored: notStored += 1
    case .failed(let failure):
      failed += 1
      if failure.isRetryable { retryable += 1 }
    }
  }
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
