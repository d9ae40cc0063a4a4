extension TransferLoop {
  /// The waits of a request for a file descriptor before it fails: about half a minute.
  private static let maxShortages = 120

  /// Takes a finished exchange one step on: to its caller, to the next hop, or to another try.
  mutating func finish(_ key: OpaquePointer, _ result: TransferResult) {
    guard let id = owners.removeValue(forKey: key), let load = loads[id], let transfer = load.transfer else {
      return
    }
    let outcome = transfer.outcome(result)
    signposts.end(load, outcome, transfer)
    load.transfer = nil
    probes.remove(id)
    if load.way == .shared, transfer.isSent, outcome.isHTTP1 {
      // It went out all the same, over a connection that no other request gets.
      load.way = .alone
      scheduler[load.hop.origin].turn(to: .kept)
    }
    if mustGoAnotherWay(load, outcome) {
      scheduler.finish(id, health: nil)
      if let lane = load.lane { leave(lane, outcome) }
      return startOver(load)
    }
    // It costs no try: the host takes fewer connections.
    let isOneTooMany =
      load.way != .shared && load.hasCompany && load.repeats < Self.mostRepeats && !load.isConditional
      && !load.asksForRange && outcome.mayBeOneTooMany && scheduler[load.hop.origin].works
    scheduler.finish(
      id, health: isOneTooMany ? nil : outcome.health, answered: outcome.status > 0 ? load.way : nil,
      sign: isOneTooMany ? .oneTooMany : outcome.asksForLess ? .lessWanted : nil, at: now)
    if let lane = load.lane, !isProved(load, lane, transfer, outcome) { return }
    if isOneTooMany {
      load.repeats += 1
      return startOver(load)
    }
    conclude(load, transfer, outcome)
  }

  /// What becomes of an exchange whose answer is its own.
  mutating func conclude(_ load: Load, _ transfer: CurlTransfer, _ outcome: TransferOutcome) {
    let result = outcome.result
    // A shortage of descriptors is not the server's fault, so it costs no retry: fewer run from now on.
    if result == .noDescriptor, load.shortages < Self.maxShortages { return waitForDescriptors(load) }

    if result == .flooded {
      scheduler[load.hop.origin].noteFlood()
      if !load.isAlone { return startOver(load) }
    }
    if load.way == .shared, outcome.mayConcernOthers {
      scheduler[load.hop.origin].noteBreak(since: load.breaks, isLast: false)
      // It may be another one's fault. What is large is gone on with where it ended.
      if transfer.bodyCount < HTTPBodyChunk.size { return startOver(load) }
    }
    if load.isConditional, outcome.mayRefuseConditions {
      load.askAfresh()
      return startOver(load)
    }
    let verdict = Verdict(
      outcome, url: load.hop, asksForRange: load.asksForRange, isConditional: load.isConditional,
      configuration: configuration)
    switch verdict {
    case .success:
      end(load, with: .success(response(load, transfer, outcome)))
    case .redirect(let target):
      do throws(HTTPFailure) {
        try load.follow(target, status: outcome.status, limit: configuration.maxRedirects)
        load.hopBefore = transfer
        load.interval = signposts.waiting(load)
        signposts.emit(.followRedirect, load)
        giveRoom(of: load)
        enqueue(load)
      } catch {
        end(load, with: .failure(load.explain(error)))
      }
    case .failure(var failure):
      if transfer.isFirst {
        fillSink(of: load, from: transfer, atLeast: 1)
        failure.cutBody = transfer.cutBody
      }
      tryAgainOrFail(load, failure, outcome)
    }
  }

  /// How often in a row a request is sent again that its server did not look at. It then costs a try.
  private static let mostRepeats = 20

  /// Whether nothing of an exchange is to be used, through no fault of its own.
  private mutating func mustGoAnotherWay(_ load: Load, _ outcome: TransferOutcome) -> Bool {
    let host = load.hop.origin
    switch outcome.result {
    case .notShared: scheduler[host].turn(to: .kept)
    case .again where load.repeats < Self.mostRepeats, .spoiled where load.repeats < Self.mostRepeats:
      load.repeats += 1
    default:
      guard load.way == .kept, outcome.mayRefuseHTTP1, scheduler[host].mayRefuseHTTP1 else { return false }
      scheduler[host].turn(to: .alone)
    }
    return true
  }

  private func response(_ load: Load, _ transfer: CurlTransfer, _ outcome: TransferOutcome) -> HTTPResponse {
    // Without a range to ask for, a part is only a success where it is the whole.
    let isWhole = outcome.status == 206 && !load.asksForRange
    var response = HTTPResponse(
      status: isWhole ? 200 : outcome.status, body: transfer.takeBody(), fields: outcome.fields,
      redirects: load.redirects,
      isLengthUnverified: outcome.isLengthUnverified, duration: (now - load.began) / .seconds(1),
      retries: load.causes.count)
    response.hasOpenEnd = outcome.hasOpenEnd
    response.isSecure = load.hop.isHTTPS
    return response
  }

  private mutating func waitForDescriptors(_ load: Load) {
    scheduler.shrink()
    // Connections that are kept for later hold descriptors too.
    multi.keep(scheduler.places)
    load.shortages += 1
    giveRoom(of: load)
    enqueue(load, due: now + min(.milliseconds(10) * load.shortages, .milliseconds(250)))
  }

  private mutating func tryAgainOrFail(_ load: Load, _ failure: HTTPFailure, _ outcome: TransferOutcome) {
    let host = load.hop.origin
    let moment = now
    let asked = outcome.fields.retryAfterSeconds()
    let hold = failure.isRetryable ? configuration.hold(retryAfter: asked) : nil
    // Also when this request is not tried again: the server's answer holds for all requests.
    if let hold { scheduler[host].block(until: moment + hold) }
    // A sink has kept the bytes so far, and the next request can resume; a retry would lose them.
    let isKept = load.submission.sink != nil && failure.cutBody != nil
    let isDown = scheduler[host].failuresInARow >= max(3, configuration.retries + 1)
    // Each request in turn would wait for as long as the first.
    let isMute = outcome.isMute && isDown && !load.causes.isEmpty
    let isOver = outcome.result == .flooded || isMute || isKept
    guard failure.isRetryable, !isOver, !(load.asksForBeginning && failure.mayBeOfRange),
      let wait = configuration.wait(
        attempt: load.causes.count, elapsed: moment - (load.firstStart ?? moment), retryAfter: asked)
    else {
      if outcome.health == .unreachable, isDown {
        reasons[host] = failure
        scheduler[host].downUntil = moment + configuration.maxRetryWait
      }
      return end(load, with: .failure(load.explain(failure)))
    }
    // A busy or missing server concerns every request, a broken body only this one.
    let concernsHost = StatusMeaning(outcome.status) == .host || outcome.health == .unreachable
    if concernsHost { scheduler[host].block(until: moment + wait) }
    load.beginAgain(after: failure)
    load.interval = signposts.waiting(load)
    signposts.emit(.retryLoad, load)
    giveRoom(of: load)
    enqueue(load, due: moment + wait)
  }

  /// How often exchanges are looked at, and over what time their speed is taken.
  private static let watchInterval: Duration = .milliseconds(250)
  private static let watchedTime: Duration = .milliseconds(500)
  /// How often a paused body asks for room again.
  private static let roomInterval: Duration = .milliseconds(5)

  /// Lends the places of nearly silent exchanges to others that wait.
  ///
  /// - Returns: when to look again.
  mutating func watch() -> Duration {
    guard scheduler.hasWaiting, !owners.isEmpty else { return .seconds(60) }
    let moment = now
    guard moment >= nextWatch else { return nextWatch - moment }
    nextWatch = moment + Self.watchInterval
    for id in owners.values {
      guard let load = loads[id], let transfer = load.transfer else { continue }
      let time = moment - load.seen.at
      guard time >= Self.watchedTime else { continue }
      let bytes = transfer.seenBytes
      let isSlow = Double(bytes - load.seen.bytes) < Double(configuration.stallSpeed) * (time / .seconds(1))
      // A transfer that waits for room is not slow by itself.
      scheduler.park(id, isSlow && transfer.wantedBytes == 0)
      load.seen = (bytes, moment)
    }
    return Self.watchInterval
  }

  /// Gives paused bodies the room they wait for, oldest first, so far as there is any.
  ///
  /// - Returns: how long to sleep, `nil` when one went on.
  mutating func letPausedGoOn() -> Duration? {
    guard multi.hasPaused else { return .seconds(60) }
    var paused: [UInt64] = []
    // What rests gives its room back soon.
    var (areOthersBusy, isAnyBusy) = (holding.contains { !$0.isBusy }, false)
    for id in owners.values {
      guard let load = loads[id], let transfer = load.transfer else { continue }
      if transfer.wantedBytes > bytesAllowed(load) {
        paused.append(id)
      } else if transfer.wantedBytes > 0 {
        // The others have had their turn.
        transfer.allow(bytesAllowed(load))
        isAnyBusy = true
      } else {
        areOthersBusy = true
      }
    }
    guard let room = configuration.bodyRoom, !paused.isEmpty else { return isAnyBusy ? nil : .seconds(60) }
    paused.sort()
    var (hasAnyLeft, isAnyWaiting) = (false, false)
    for id in paused {
      guard let load = loads[id], let transfer = load.transfer else { continue }
      let size = bytesToAllow(transfer)
      let more = size - bytesAllowed(load)
      // Behind one that waits the others wait, too.
      if isAnyWaiting || !room.takeIfFree(more) {
        // libcurl goes on to keep what comes for a stream, however much that is.
        guard load.way != .shared else {
          leaveConnection(load, transfer)
          hasAnyLeft = true
          continue
        }
        isAnyWaiting = isAnyWaiting || areOthersBusy || isAnyBusy
        // If each waited for the others, all would wait for ever.
        guard !isAnyWaiting else { continue }
        room.takeAnyway(more)
      }
      isAnyBusy = true
      load.roomTaken += more
      transfer.allow(size)
    }
    return isAnyBusy || hasAnyLeft ? nil : Self.roomInterval
  }

  private func bytesAllowed(_ load: Load) -> Int {
    configuration.bodyRoom == nil ? .max : configuration.bodyAllowance + load.roomTaken
  }

  /// A stream that waits holds up all others of its connection, so the body is fetched again over one of its own; as all
  /// further ones of this host are.
  private mutating func leaveConnection(_ load: Load, _ transfer: CurlTransfer) {
    owners[transfer.pointer] = nil
    multi.remove(transfer)
    load.transfer = nil
    scheduler.finish(load.id, health: .reached)
    scheduler[load.hop.origin].noteBreak(since: load.breaks, isLast: true)
    signposts.giveUp(load)
    startOver(load)
  }

  mutating func startOver(_ load: Load) {
    load.startOver()
    load.interval = signposts.waiting(load)
    giveRoom(of: load)
    enqueue(load)
  }

  /// The whole body where its length is known, so that it pauses once; else twice as much.
  private func bytesToAllow(_ transfer: CurlTransfer) -> Int {
    let announced = transfer.announcedLength.map { Int(min($0, Int64(transfer.maxBodyBytes))) }
    return max(transfer.wantedBytes, announced ?? min(2 * transfer.wantedBytes, transfer.maxBodyBytes))
  }

  /// Gives back what an exchange took; its body is its owner's, if it has one, from here on.
  func giveRoom(of load: Load) {
    if load.roomTaken > 0 { configuration.bodyRoom?.give(load.roomTaken) }
    load.roomTaken = 0
  }
}

/// Bodies on their way to those who keep them, so that a process that is killed loses one chunk at most.
extension TransferLoop {
  func fillSinks() {
    guard watchedLoads > 0 else { return }
    for id in owners.values {
      guard let load = loads[id], load.isWatched, let transfer = load.transfer else { continue }
      if transfer.isFirst, fillSink(of: load, from: transfer, atLeast: HTTPBodyChunk.size) {
        load.drained = transfer.bodyCount
      }
    }
  }

  /// - Parameter count: bytes that have to have come since the last time.
  /// - Returns: whether the sink got some.
  @discardableResult
  func fillSink(of load: Load, from transfer: CurlTransfer, atLeast count: Int) -> Bool {
    guard let sink = load.submission.sink, transfer.bodyCount - load.drained >= count else { return false }
    sink(transfer.chunk(from: load.drained))
    return true
  }
}
