/// What exporters are told.
public enum SignpostRecord: Hashable, Sendable {
  /// An interval that is still open; its `end` means nothing yet.
  case begun(SignpostSpan)
  /// An interval from its begin to its end. `wasBegun`: it was told as ``begun(_:)`` before.
  case interval(SignpostSpan, wasBegun: Bool)
  case event(SignpostSpan)
  /// A counter's value at a time of ``SignpostClock``.
  case counter(SignpostCounter, value: Int64, time: Int64)
}
