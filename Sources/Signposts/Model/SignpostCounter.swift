/// A quantity that is looked at from time to time.
public enum SignpostCounter: String, Hashable, Sendable, CaseIterable {
  /// Bytes of sources between download and store, room held for downloads included.
  case bytesInFlight = "BytesInFlight"
  /// Resident bytes of the recording process; its workers are processes of their own.
  case memory = "Memory"
  /// Sources that wait for a worker.
  case queueDepth = "QueueDepth"
}
