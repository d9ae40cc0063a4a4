import CCurl

/// A connection of HTTP/1.1 that requests go over one after the other, and what came over it that is not proved.
///
/// After an answer too many each request gets the answer of the one before. Nothing in them shows it, but when the
/// connection rests one of them is left in it. So answers are held back until it was seen empty a while after the last
/// one. The first one over a connection needs no proof: there is no other request that it could belong to.
final class Lane {
  typealias Held = (load: Load, transfer: CurlTransfer, outcome: TransferOutcome)

  let number: Int
  let host: HostLanes
  /// The last one in it; it may be closed.
  var connection: UInt64 = 0
  var isBusy = false
  var held: [Held] = []
  /// When it has rested long enough, if it is not busy.
  var due: Duration = .zero
  /// It holds as much as it may, and rests until that is proved.
  var isFull = false

  init(_ number: Int, of host: HostLanes) { (self.number, self.host) = (number, host) }

  var heldBytes: Int { held.reduce(0) { $0 + $1.outcome.bodyCount } }
}

/// The connections of HTTP/1.1 to one host.
final class HostLanes {
  let name: String
  var lanes: [Lane] = []
  /// Answers that a lane holds before it has to rest: few at first, so that what waits for them has work.
  var batch = 4
  /// The longest time from a request to the first byte of its answer.
  var slowest: Duration = .zero

  init(_ name: String) { self.name = name }
}

extension TransferLoop {
  private static let (mostHeld, mostHeldBytes) = (32, 2 << 20)
  /// How long a connection rests after its last answer, and after its last request at most.
  private static let (leastRest, longestRest) = (Duration.milliseconds(25), Duration.seconds(1))

  /// One whose connection is open and that holds nothing first, so that the others have their rest.
  mutating func takeLane(of name: String) -> Lane {
    let host = lanes[name] ?? HostLanes(name)
    lanes[name] = host
    let idle = host.lanes.filter { !$0.isBusy && !$0.isFull }
    let open = idle.filter { multi.look($0.connection) != PCURL_CLOSED }
    if let lane = open.first(where: \.held.isEmpty) ?? open.first ?? idle.first { return lane }
    lastLane += 1
    let lane = Lane(lastLane, of: host)
    host.lanes.append(lane)
    return lane
  }

  /// Takes an answer in, and holds it back where it may be another request's.
  ///
  /// - Returns: whether it is its own for certain.
  mutating func isProved(
    _ load: Load, _ lane: Lane, _ transfer: CurlTransfer, _ outcome: TransferOutcome
  ) -> Bool {
    lane.isBusy = false
    let connection = transfer.connection
    if connection.number != lane.connection {
      // The one before has ended, without a request.
      settle(lane, multi.look(lane.connection) != PCURL_LEFT)
      lane.connection = connection.number
    }
    if outcome.status > 0 { lane.host.slowest = max(lane.host.slowest, transfer.answeredAfter) }
    guard !transfer.isFirst else { return true }
    // What libcurl leaves unread when it gives up says nothing.
    let isWhole = outcome.result == .complete && !outcome.isCut
    let rest = isWhole ? multi.look(lane.connection) : PCURL_CLOSED
    let hasSurplus =
      rest == PCURL_LEFT || outcome.announcedLength.map { outcome.receivedLength > $0 } ?? false
    let isUnclear = outcome.isCut || [.notHTTP, .tooLarge, .largeHeaders].contains(outcome.result)
    if hasSurplus || isUnclear {
      lane.held.append((load, transfer, outcome))
      load.needsOwn = true
      doubt(lane, isProved: hasSurplus || outcome.result == .notHTTP)
      return false
    }
    if outcome.bodyCount > 0, [.network, .partial].contains(outcome.result) {
      // The next try may go on behind it only if it is its own.
      load.needsOwn = true
      startOver(load)
      settle(lane, true)
      return false
    }
    guard rest == PCURL_EMPTY else {
      settle(lane, true)
      return true
    }
    if lane.held.isEmpty { holding.append(lane) }
    lane.held.append((load, transfer, outcome))
    let moment = now
    let answer = min(lane.host.slowest * 2, Self.longestRest)
    lane.due = moment + max(Self.leastRest, answer - transfer.sentBefore)
    lane.isFull =
      lane.held.count >= lane.host.batch || lane.heldBytes >= Self.mostHeldBytes || load.roomTaken > 0
    if lane.isFull { scheduler[lane.host.name].resting += 1 }
    return false
  }

  /// A request that was not sent leaves its lane.
  mutating func leave(_ lane: Lane, _ outcome: TransferOutcome) {
    lane.isBusy = false
    settle(lane, outcome.result != .spoiled && multi.look(lane.connection) != PCURL_LEFT)
  }

  /// Lets what lanes hold go on where they have rested long enough.
  ///
  /// - Returns: how long to sleep, `nil` when something went on.
  mutating func letLanesRest() -> Duration? {
    guard !holding.isEmpty else { return .seconds(60) }
    let moment = now
    var pause = Duration.seconds(60)
    var isBusy = false
    for lane in holding where !lane.isBusy && !lane.held.isEmpty {
      if lane.due > moment {
        pause = min(pause, lane.due - moment)
      } else {
        isBusy = true
        if lane.isFull { lane.host.batch = min(4 * lane.host.batch, Self.mostHeld) }
        settle(lane, multi.look(lane.connection) != PCURL_LEFT)
      }
    }
    holding.removeAll(where: \.held.isEmpty)
    return isBusy ? nil : pause
  }

  private mutating func settle(_ lane: Lane, _ isRight: Bool) {
    guard isRight else { return doubt(lane, isProved: true) }
    for (load, transfer, outcome) in release(lane) { conclude(load, transfer, outcome) }
  }

  /// What a lane holds is asked again; each over a connection of its own, as all that its host is still asked for, where
  /// an answer too many is proved.
  mutating func doubt(_ lane: Lane, isProved: Bool) {
    lane.isBusy = false
    let held = release(lane)
    if isProved, !held.isEmpty { scheduler[lane.host.name].turn(to: .alone) }
    for (load, _, _) in held { startOver(load) }
  }

  /// Those that were not cancelled meanwhile.
  private mutating func release(_ lane: Lane) -> [Lane.Held] {
    let held = lane.held
    lane.held = []
    if lane.isFull { scheduler[lane.host.name].resting -= 1 }
    lane.isFull = false
    return held.filter { loads[$0.load.id] === $0.load }
  }
}
