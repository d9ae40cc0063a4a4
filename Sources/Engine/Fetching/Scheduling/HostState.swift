import Scheduling

/// The health of a host, as one exchange showed it.
enum HostHealth: Sendable, Hashable {
  /// It answered, whatever the status.
  case reached
  /// It was connected and then said too little for too long.
  case slow
  /// No connection came about.
  case unreachable
}

struct HostState: Sendable {
  package var line = PriorityLine()
  package var running = 0
  var blockedUntil: Duration = .zero
  var downUntil: Duration = .zero
  package var bucket: TokenBucket?
  private(set) var failuresInARow = 0
  private(set) var isInTrouble = false
  /// Over HTTP/1.1, where no fixed number is asked for.
  var width: HostWidth?

  /// Its last answer came over HTTP/2, where transfers share a connection.
  private(set) var sharesConnection = false

  /// Connections that broke under several transfers. After the last of `mostBreaks` each transfer gets one of its own.
  private(set) var breaks = 0
  static let mostBreaks = 2
  /// Answers without another break after which a break is forgotten: servers restart.
  private static let answersToForget = 1000
  private var answersSinceBreak = 0

  /// - Parameter since: the breaks when a transfer began, of many that end with one connection.
  mutating func noteBreak(since: Int, isLast: Bool) {
    breaks = max(breaks, isLast ? Self.mostBreaks : since + 1)
    answersSinceBreak = 0
  }

  /// A host in trouble gets one place until it answers, so that it cannot hold the places of healthy ones.
  package func limit(_ usual: Int, streams: Int) -> Int {
    isInTrouble ? 1 : sharesConnection ? streams : width?.now ?? usual
  }

  /// When the next request may go out, as far as its `Retry-After` and its rate are concerned.
  package func ready(at now: Duration) -> Duration { max(blockedUntil, bucket?.ready(at: now) ?? now) }

  /// - Parameter width: to begin with, where no fixed number is asked for.
  mutating func finish(
    _ health: HostHealth?, _ sharesConnection: Bool?, _ asksForLess: Bool, width: HostWidth?,
    at moment: Duration
  ) {
    running -= 1
    switch health {
    case .reached: (failuresInARow, isInTrouble, downUntil) = (0, false, .zero)
    case .slow: isInTrouble = true
    case .unreachable: (failuresInARow, isInTrouble) = (failuresInARow + 1, true)
    case nil: break
    }
    if let sharesConnection {
      self.sharesConnection = sharesConnection
      answersSinceBreak += 1
      if breaks < Self.mostBreaks, answersSinceBreak >= Self.answersToForget { breaks = 0 }
    }
    guard let width, asksForLess || sharesConnection == false else { return }
    self.width = self.width ?? width
    if asksForLess {
      self.width?.noteTrouble(running: running)
    } else {
      self.width?.noteAnswer(at: moment, isFull: !line.isEmpty)
    }
  }

  /// Whether a new state would say the same.
  var isForgettable: Bool {
    line.isEmpty && running == 0 && blockedUntil == .zero && downUntil == .zero && bucket == nil
      && !isInTrouble && !sharesConnection && breaks == 0 && !(width?.isUnusual ?? false)
  }
}

/// How many transfers may run at once: as many as are configured, fewer where file descriptors are short.
struct PlaceLimit: Sendable {
  private let most: Int
  private(set) var now: Int
  private var successes = 0

  /// Successes in a row after which one place more is tried again.
  package static let patience = 64

  init(_ most: Int) {
    self.most = max(1, most)
    now = self.most
  }

  /// One more than `running` was too many.
  package mutating func shrink(to running: Int) {
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
