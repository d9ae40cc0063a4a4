/// What one exchange showed about its host.
enum HostHealth: Sendable, Hashable {
  /// It answered, whatever the status.
  case reached
  /// It was connected and then said too little for too long.
  case slow
  /// No connection came about.
  case unreachable
}

/// The scheduler's memory of one host.
struct HostState: Sendable {
  var line = WaitingLine()
  var running = 0
  var blockedUntil: Duration = .zero
  var downUntil: Duration = .zero
  var bucket: TokenBucket?
  private(set) var failuresInARow = 0
  private(set) var isInTrouble = false

  /// A host in trouble gets one place until it answers, so that it cannot hold the places of healthy ones.
  func limit(_ usual: Int) -> Int { isInTrouble ? 1 : usual }

  /// When the next request may go out, as far as the host's own wishes and its rate are concerned.
  func ready(at now: Duration) -> Duration { max(blockedUntil, bucket?.ready(at: now) ?? now) }

  mutating func note(_ health: HostHealth) {
    switch health {
    case .reached:
      failuresInARow = 0
      isInTrouble = false
      downUntil = .zero
    case .slow:
      isInTrouble = true
    case .unreachable:
      failuresInARow += 1
      isInTrouble = true
    }
  }

  /// Nothing would be lost if the state were made anew.
  var isForgettable: Bool {
    line.isEmpty && running == 0 && blockedUntil == .zero && downUntil == .zero && bucket == nil
      && !isInTrouble
  }
}
