import Foundation

/// A stretch of time with a name: an interval, or an event where it ends as it begins.
public struct SignpostSpan: Hashable, Sendable {
  /// One number in a recording.
  public var id: UInt64
  /// The interval that this one is a part of, on the same track.
  public var parent: UInt64?
  /// What it is about.
  public var name: SignpostName
  /// Nanoseconds of `CLOCK_MONOTONIC`.
  public var begin: Int64
  /// Not before `begin`.
  public var end: Int64
  /// The arguments.
  public var metadata: SignpostMetadata = [:]

  /// Nanoseconds.
  public var duration: Int64 { end - begin }
}

/// What exporters receive.
public enum SignpostRecord: Hashable, Sendable {
  /// An interval that is still open; its `end` means nothing yet.
  case begun(SignpostSpan)
  /// An interval from its begin to its end. `wasBegun`: it was passed as ``begun(_:)`` before.
  case interval(SignpostSpan, wasBegun: Bool)
  /// A moment without a duration.
  case event(SignpostSpan)
  /// A counter's value at a time of `CLOCK_MONOTONIC`.
  case counter(SignpostCounter, value: Int64, time: Int64)
}

/// The one clock of all signposts: `CLOCK_MONOTONIC`, which every process of a Linux system reads alike
/// (clock_gettime(2)), so that what workers measure needs no translation.
package enum SignpostClock {
  /// Nanoseconds since a moment that means nothing.
  package static var now: Int64 { read(CLOCK_MONOTONIC) }

  /// Nanoseconds since 1970, to say once when a recording began.
  static var wall: Int64 { read(CLOCK_REALTIME) }

  /// `2026-11-21T03:50:00.123456789Z` of such a number: RFC 3339, UTC.
  static func text(_ nanosecondsSince1970: Int64) -> String {
    let (seconds, rest) = nanosecondsSince1970.quotientAndRemainder(dividingBy: 1_000_000_000)
    let whole = Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
    return "\(whole.dropLast()).\(String(1_000_000_000 + rest).dropFirst())Z"
  }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
