/// How many transfers may run at once: as many as are configured, fewer where file descriptors are short.
struct PlaceLimit: Sendable {
  private let most: Int
  private(set) var now: Int
  private var successes = 0

  /// Successes in a row after which one place more is tried again.
  static let patience = 64

  init(_ most: Int) {
    self.most = max(1, most)
    now = self.most
  }

  /// One more than `running` was too many.
  mutating func shrink(to running: Int) {
    now = max(1, min(now, running))
    successes = 0
  }

  mutating func noteSuccess() {
    guard now < most else { return }
    successes += 1
    guard successes >= Self.patience else { return }
    now += 1
    successes = 0
  }
}
