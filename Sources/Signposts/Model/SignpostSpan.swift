/// A stretch of time with a name: an interval, or an event where it ends as it begins.
public struct SignpostSpan: Hashable, Sendable {
  /// One number in a recording.
  public var id: UInt64
  /// The interval that this one is a part of, on the same track.
  public var parent: UInt64?
  public var name: SignpostName
  /// Nanoseconds of ``SignpostClock``.
  public var begin: Int64
  /// Not before `begin`.
  public var end: Int64
  public var metadata: SignpostMetadata

  public init(
    id: UInt64, parent: UInt64? = nil, name: SignpostName, begin: Int64, end: Int64,
    metadata: SignpostMetadata = [:]
  ) {
    self.id = id
    self.parent = parent
    self.name = name
    self.begin = begin
    self.end = max(begin, end)
    self.metadata = metadata
  }

  /// Nanoseconds.
  public var duration: Int64 { end - begin }
}
