import Rendering

/// When a worker gives up by itself, before its watchdog kills it.
struct Deadline {
  private let seconds: Double
  private let end: ContinuousClock.Instant

  /// A century; what is longer would not fit the clock.
  private static let longest = 3.2e9

  init(seconds: Double) {
    self.seconds = seconds
    end = .now + .seconds(min(max(seconds, 0), Deadline.longest))
  }

  func check() throws(RenderFailure) {
    if ContinuousClock.now >= end {
      throw RenderFailure(.timeout, "the picture took more than \(seconds) seconds (timeout)")
    }
  }
}
