/// A quantity, and what it was when it was last looked at.
struct Gauge: Sendable {
  let counter: SignpostCounter
  let value: @Sendable () -> Int
  private var last: Int?

  init(counter: SignpostCounter, value: @escaping @Sendable () -> Int) {
    self.counter = counter
    self.value = value
  }

  /// The value, or nil while it is what it was.
  mutating func change() -> Int64? {
    let now = value()
    guard now != last else { return nil }
    last = now
    return Int64(now)
  }
}
