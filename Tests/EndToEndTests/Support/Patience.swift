import Foundation

/// Waits for something that other processes bring about. How long is no part of any promise: the bound
/// only ends a test that would wait for ever.
func eventually(within seconds: Double = 90, _ isTrue: () throws -> Bool) rethrows -> Bool {
  let end = ContinuousClock.now + .seconds(seconds)
  while ContinuousClock.now < end {
    if try isTrue() { return true }
    usleep(10_000)
  }
  return try isTrue()
}
