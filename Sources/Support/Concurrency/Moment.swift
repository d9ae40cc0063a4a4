import Foundation

/// A moment of a clock that nobody sets and that goes on while the device sleeps, as `ContinuousClock` does, which needs
/// iOS 16.
package struct Moment: Hashable, Comparable, Sendable {
  /// Since some moment in the past.
  private var nanoseconds: Int64

  package static var now: Moment {
    #if os(Linux)
      let clock = CLOCK_BOOTTIME
    #else
      let clock = CLOCK_MONOTONIC
    #endif
    var time = timespec()
    clock_gettime(clock, &time)
    return Moment(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  /// - Parameter seconds: more than a hundred years are that many.
  package static func + (moment: Moment, seconds: Double) -> Moment {
    let century = 3.2e9
    let nanoseconds = Int64((min(max(seconds, -century), century) * 1e9).rounded())
    return Moment(nanoseconds: moment.nanoseconds &+ nanoseconds)
  }

  package static func < (a: Moment, b: Moment) -> Bool { a.nanoseconds < b.nanoseconds }
}
