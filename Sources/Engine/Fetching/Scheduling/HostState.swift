/// The health of a host, as one exchange showed it.
enum HostHealth: Sendable, Hashable {
  /// It answered, whatever the status.
  case reached
  /// It was connected and then said too little for too long.
  case slow
  /// No connection came about, or one that gives no answer to any request.
  case unreachable
}

/// The connections of a host that requests may go over. A host goes one way after the other, and never back.
enum HostWay: Int, Sendable, Hashable {
  /// Those that speak HTTP/2, many at once.
  case shared
  /// Those of HTTP/1.1, one after the other.
  case kept
  /// One each.
  case alone

  init(to host: String) { self = host.hasPrefix("https:") ? .shared : .kept }
}

struct HostState: Sendable {
  package var line = PriorityLine()
  package var running = 0
  /// Connections that rest until what came over them is known to be right.
  var resting = 0
  var blockedUntil: Duration = .zero
  var downUntil: Duration = .zero
  package var bucket: TokenBucket?
  private(set) var failuresInARow = 0
  private(set) var isInTrouble = false
  /// Over HTTP/1.1, where no fixed number is asked for.
  var width: HostWidth?

  private(set) var way: HostWay
  private let usualWay: HostWay
  /// A request went to it over HTTP/2.
  private(set) var isKnownToShare = false
  private var hasAnsweredOverHTTP1 = false

  /// Connections that broke under several transfers. After the last of `mostBreaks` they are not shared any more.
  private(set) var breaks = 0
  private static let mostBreaks = 2
  /// Answers without another break after which a break is forgotten: servers restart.
  private static let answersToForget = 1000
  private var answersSinceBreak = 0

  /// A connection of it took so much of the processor's time that others had to wait.
  private(set) var floods = 0
  /// Answers until it may be asked beside others again.
  private var answersAlone = 0
  var mustBeAlone: Bool { answersAlone > 0 }

  init(to host: String) {
    usualWay = HostWay(to: host)
    way = usualWay
  }

  /// - Parameter since: the breaks when a transfer began, of many that end with one connection.
  mutating func noteBreak(since: Int, isLast: Bool) {
    breaks = max(breaks, isLast ? Self.mostBreaks : since + 1)
    answersSinceBreak = 0
    if breaks >= Self.mostBreaks { turn(to: .kept) }
  }

  mutating func noteFlood() {
    if answersAlone == 0 { floods += 1 }
    answersAlone = 4 << min(floods, 16)
    turn(to: .kept)
  }

  mutating func turn(to next: HostWay) {
    if next == .shared { isKnownToShare = true }
    if next.rawValue > way.rawValue { way = next }
  }

  /// Whether HTTP/2 may be all that it speaks.
  var mayRefuseHTTP1: Bool { isKnownToShare && !hasAnsweredOverHTTP1 }

  /// A host in trouble gets one place until it answers, so that it cannot hold the places of healthy ones.
  /// One that has to show first whether it has HTTP/2 gets one, too.
  package func limit(_ usual: Int, streams: Int, most: Int) -> Int {
    if way == .shared { return isInTrouble || !isKnownToShare ? 1 : streams }
    return min(isInTrouble ? 1 : width?.now ?? usual, max(usual, most) - resting)
  }

  /// When the next request may go out, as far as its `Retry-After` and its rate are concerned.
  package func ready(at now: Duration) -> Duration { max(blockedUntil, bucket?.ready(at: now) ?? now) }

  /// - Parameter width: to begin with, where no fixed number is asked for.
  mutating func finish(
    _ health: HostHealth?, _ answered: HostWay?, _ asksForLess: Bool, width: HostWidth?,
    at moment: Duration
  ) {
    running -= 1
    switch health {
    case .reached: (failuresInARow, isInTrouble, downUntil) = (0, false, .zero)
    case .slow: isInTrouble = true
    case .unreachable: (failuresInARow, isInTrouble) = (failuresInARow + 1, true)
    case nil: break
    }
    if let answered {
      if answered == .kept { hasAnsweredOverHTTP1 = true }
      answersSinceBreak += 1
      answersAlone = max(0, answersAlone - 1)
      if breaks < Self.mostBreaks, answersSinceBreak >= Self.answersToForget { breaks = 0 }
    }
    guard let width, asksForLess || answered.map({ $0 != .shared }) ?? false else { return }
    self.width = self.width ?? width
    if asksForLess {
      self.width?.noteTrouble(running: running)
    } else {
      self.width?.noteAnswer(at: moment, isFull: !line.isEmpty)
    }
  }

  /// Whether a new state would say the same.
  var isForgettable: Bool {
    line.isEmpty && running == 0 && resting == 0 && blockedUntil == .zero && downUntil == .zero
      && bucket == nil && floods == 0
      && !isInTrouble && !isKnownToShare && way == usualWay && breaks == 0 && !(width?.isUnusual ?? false)
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
