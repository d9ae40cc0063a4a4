#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The one clock of all signposts: `CLOCK_MONOTONIC`, which every process of a Linux system reads alike
/// (clock_gettime(2)), so that what workers measure needs no translation.
public enum SignpostClock {
  /// Nanoseconds since a moment that means nothing.
  public static var now: Int64 { read(CLOCK_MONOTONIC) }

  /// Nanoseconds since 1970, to say once when a recording began.
  public static var wall: Int64 { read(CLOCK_REALTIME) }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
