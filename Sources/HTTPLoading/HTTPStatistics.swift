/// What an ``HTTPLoader`` has done so far.
public struct HTTPStatistics: Sendable, Hashable {
  /// Exchanges that ended, well or not: each redirect and each retry is one of its own.
  public var transfers = 0
  /// Header and body bytes received, before any decoding.
  public var bytesOnWire: Int64 = 0
  /// Connections made; the difference to ``transfers`` was saved by reuse.
  public var connectionsOpened = 0
  /// Exchanges that were begun again after a retryable failure.
  public var retries = 0

  public init() {}
}
