import Signposts

/// The signposts of requests: their waits, their exchanges and the phases of these.
extension Signposter {
  func waiting(_ load: Load) -> SignpostInterval? {
    isEnabled ? beginInterval(.waitForPlace, metadata(load)) : nil
  }

  func begin(_ load: Load) {
    guard isEnabled else { return }
    giveUp(load)
    let now = SignpostClock.now
    load.exchangeBegan = now
    load.interval = beginInterval(.loadImageData, at: now, metadata(load))
  }

  func end(_ load: Load, _ outcome: TransferOutcome, _ transfer: CurlTransfer) {
    guard let interval = load.interval else { return }
    let metadata = metadata(load)
    // libcurl's clock is another one: a phase must not outlast its exchange.
    let now = SignpostClock.now
    for phase in transfer.phases(isHTTPS: load.hop.isHTTPS) {
      addInterval(
        phase.name, from: min(load.exchangeBegan + phase.begin, now),
        to: min(load.exchangeBegan + phase.end, now), in: interval,
        metadata)
    }
    endInterval(
      interval,
      [
        .status: .integer(outcome.status), .bytes: .integer(Int(transfer.wireBytes)),
        .succeeded: .flag(outcome.result == .complete),
      ])
    load.interval = nil
  }

  /// Whatever was under way is over. Does nothing where it has ended.
  func giveUp(_ load: Load) {
    if let interval = load.interval { endInterval(interval) }
  }

  func emit(_ name: SignpostName, _ load: Load) { emitEvent(name, metadata(load)) }

  private func metadata(_ load: Load) -> SignpostMetadata {
    [.host: .text(load.hop.server), .url: .url(load.hop.text), .attempt: .integer(load.attempts.count)]
  }
}
