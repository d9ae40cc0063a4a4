/// The counts of a run; they add up to the plan.
public struct RunReport: Sendable, Hashable {
  public var planned = 0
  public var made = 0
  public var current = 0
  public var notStored = 0
  public var failed = 0
  /// Of `failed`: those that a later run may make without any change.
  public var retryable = 0
  /// Sources fetched, and bytes of their bodies.
  public var sourcesFetched = 0
  public var bytesFetched = 0
  /// Sources that are still what they were, by the word of their servers: no body was transferred.
  public var sourcesValidated = 0
  /// Sources whose body came out of the HTTP cache.
  public var sourcesCached = 0
  public var filesWritten = 0
  public var bytesWritten = 0
  /// What each cache of the run takes on a device, once it is whole.
  public var caches: [CacheSize] = []
  /// Seconds, from the monotonic clock.
  public var duration = 0.0
  /// Stopped by a signal before all was done; a later run completes it.
  public var isInterrupted = false
  /// Why the cache could no longer be written: then the run ended there.
  public var storeFailure: StoreFailure?

  public init() {}

  mutating func count(_ status: RenditionOutcome.Status) {
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
