/// Writes a recording in one form. Called by one thread at a time.
public protocol SignpostExporter: Sendable {
  func write(_ records: [SignpostRecord])

  /// The recording is over.
  ///
  /// - Parameters:
  ///   - open: Intervals that never ended.
  ///   - time: The end, in nanoseconds of ``SignpostClock``.
  func finish(open: [SignpostSpan], at time: Int64)

  /// Why what was written is not all there is, in words; nil while it is.
  var failure: String? { get }
}

extension SignpostExporter {
  public var failure: String? { nil }
}
