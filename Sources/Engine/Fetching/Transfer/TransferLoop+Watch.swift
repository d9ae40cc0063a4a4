extension TransferLoop {
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
    guard let room = configuration.bodyRoom, multi.hasPaused else { return .seconds(60) }
    var paused: [UInt64] = []
    var areOthersBusy = false
    for id in owners.values {
      guard let transfer = loads[id]?.transfer else { continue }
      if transfer.wantedBytes > 0 { paused.append(id) } else { areOthersBusy = true }
    }
    guard !paused.isEmpty else { return .seconds(60) }
    paused.sort()
    var isAnyBusy = false
    for id in paused {
      guard let load = loads[id], let transfer = load.transfer else { continue }
      let size = bytesToAllow(transfer)
      let more = size - configuration.bodyAllowance - load.roomTaken
      if !room.takeIfFree(more) {
        // If each waited for the others, all would wait for ever.
        guard !areOthersBusy, !isAnyBusy else { break }
        room.takeAnyway(more)
      }
      isAnyBusy = true
      load.roomTaken += more
      transfer.allow(size)
    }
    return isAnyBusy ? nil : Self.roomInterval
  }

  /// The whole body where its length is known, so that it pauses once; else twice as much.
  private func bytesToAllow(_ transfer: CurlTransfer) -> Int {
    let announced = transfer.announcedLength.map { Int(min($0, Int64(transfer.maxBodyBytes))) }
    return max(transfer.wantedBytes, announced ?? min(2 * transfer.wantedBytes, transfer.maxBodyBytes))
  }

  /// Gives back what an exchange took; its body is nobody's or its owner's from here on.
  func giveRoom(of load: Load) {
    if load.roomTaken > 0 { configuration.bodyRoom?.give(load.roomTaken) }
  }
}

/// Bodies on their way to those who keep them, so that a process that is killed loses one chunk at most.
extension TransferLoop {
  func tellWatchers() {
    guard watchedLoads > 0 else { return }
    for id in owners.values {
      guard let load = loads[id], load.isWatched, let transfer = load.transfer else { continue }
      let progress = transfer.progress
      if let report = load.submission.progress, progress.received > load.reported {
        load.reported = progress.received
        report(progress)
      }
      if fillSink(of: load, from: transfer, atLeast: HTTPBodyChunk.size) { load.drained = transfer.bodyCount }
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
