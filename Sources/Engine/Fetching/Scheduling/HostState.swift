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
  private var blockedUntil: Duration = .zero
  /// Until then what waits for it is refused, and what comes.
  var downUntil: Duration = .zero
  package var bucket: TokenBucket?
  /// Connections that failed since the last one that stood.
  private(set) var failuresInARow = 0
  private(set) var isInTrouble = false
  /// Over HTTP/1.1, where no fixed number is asked for.
  var width: HostWidth?

  private(set) var way: HostWay
  /// A request went to it over HTTP/2.
  private(set) var isKnownToShare = false
  private var hasAnsweredOverHTTP1 = false
  /// It broke connections off while others worked, so those that rest count.
  private var takesFew = false

  /// Connections that broke under several transfers. After the last of `mostBreaks` they are not shared any more.
  private(set) var breaks = 0
  private static let mostBreaks = 2

  /// A connection of it took so much of the processor's time that others had to wait.
  private(set) var floods = 0
  /// Answers until it may be asked beside others again.
  private var answersAlone = 0
  var mustBeAlone: Bool { answersAlone > 0 }

  init(to host: String) { way = HostWay(to: host) }

  mutating func block(until moment: Duration) { blockedUntil = max(moment, blockedUntil) }

  /// Whether other requests are under way, or were answered.
  var works: Bool { running > 1 || resting > 0 || hasAnsweredOverHTTP1 }

  /// Notes the end of a connection that transfers may have shared; `isLast` where they no longer shall.
  ///
  /// - Parameter since: the breaks when a transfer began, of many that end with one connection.
  mutating func noteBreak(since: Int, isLast: Bool) {
    breaks = max(breaks, isLast ? Self.mostBreaks : since + 1)
    if breaks >= Self.mostBreaks { turn(to: .kept) }
  }

  /// It took too much of the processor's time, so it is asked when there is nothing else to do, one request at a time.
  mutating func noteFlood() {
    if answersAlone == 0 { floods += 1 }
    answersAlone = 4 << min(floods, 16)
    turn(to: .kept)
  }

  /// Requests go this way from now on, or one that it has come to since.
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
    let connections = connections(usual)
    if takesFew { return max(connections - resting, resting > 0 ? 0 : 1) }
    return min(connections, max(usual, most) - resting)
  }

  /// Over HTTP/1.1.
  func connections(_ usual: Int) -> Int { isInTrouble ? 1 : width?.now ?? usual }

  /// When the next request may go out, as far as its `Retry-After` and its rate are concerned.
  package func ready(at now: Duration) -> Duration { max(blockedUntil, bucket?.ready(at: now) ?? now) }

  /// - Parameter width: to begin with, where no fixed number is asked for.
  mutating func finish(
    _ health: HostHealth?, _ answered: HostWay?, _ sign: WidthSign?, width: HostWidth?, at moment: Duration
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
      answersAlone = max(0, answersAlone - 1)
    }
    guard let width = self.width ?? width, sign != nil || answered.map({ $0 != .shared }) ?? false else {
      return
    }
    self.width = width
    if sign == .oneTooMany { takesFew = true }
    if sign != nil {
      self.width?.noteTrouble(running: running)
    } else {
      self.width?.noteAnswer(at: moment, isFull: !line.isEmpty)
    }
  }
}
