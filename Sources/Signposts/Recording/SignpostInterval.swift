/// An interval that has begun, to be handed back at its end.
public struct SignpostInterval: Sendable {
  /// 0 where nobody records.
  public let id: UInt64
  /// The interval of a disabled signposter.
  static let none = SignpostInterval(id: 0)
}
