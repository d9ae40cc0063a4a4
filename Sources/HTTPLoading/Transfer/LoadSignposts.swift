import Signposts

/// Sets the signposts of requests: their waits, their exchanges and the phases of these.
struct LoadSignposts: Sendable {
  var signposts: Signposter

  /// The wait for a place begins.
  func waiting(_ load: Load) -> SignpostInterval? {
    signposts.isEnabled ? signposts.beginInterval(.waitForPlace, metadata(load)) : nil
  }

  /// The wait is over, the exchange begins.
  func begin(_ load: inout Load?) {
    guard signposts.isEnabled, let current = load else { return }
    giveUp(current)
    load?.exchangeBegan = SignpostClock.now
    load?.interval = signposts.beginInterval(.loadImageData, metadata(current))
  }

  func end(_ load: inout Load, _ outcome: TransferOutcome, _ transfer: CurlTransfer) {
    guard let interval = load.interval else { return }
    let metadata = metadata(load)
    for phase in transfer.phases {
      signposts.addInterval(
        phase.name, from: load.exchangeBegan + phase.begin, to: load.exchangeBegan + phase.end, in: interval,
        metadata)
    }
    signposts.endInterval(
      interval,
      [
        .status: .integer(outcome.status), .bytes: .integer(Int(transfer.wireBytes)),
        .succeeded: .flag(outcome.result == .complete),
      ])
    load.interval = nil
  }

  /// Whatever was under way is over. Does nothing where it has ended.
  func giveUp(_ load: Load) {
    if let interval = load.interval { signposts.endInterval(interval) }
  }

  func emit(_ name: SignpostName, _ load: Load) { signposts.emitEvent(name, metadata(load)) }

  private func metadata(_ load: Load) -> SignpostMetadata {
    [.host: .text(load.hop.authority), .url: .url(load.hop.text), .attempt: .integer(load.attempt)]
  }
}
