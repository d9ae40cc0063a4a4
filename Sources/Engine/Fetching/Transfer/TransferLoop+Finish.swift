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
    channel.count {
      $0.transfers += 1
      $0.bytesOnWire += transfer.wireBytes
      $0.connectionsOpened += transfer.newConnections
    }
    load.transfer = nil
    scheduler.finish(id, health: outcome.health)
    // A shortage of descriptors is not the server's fault, so it costs no retry: fewer run from now on.
    if result == .noDescriptor, load.shortages < Self.maxShortages { return waitForDescriptors(load) }

    let verdict = Verdict(
      outcome, url: load.hop, asksForRange: load.asksForRange, isConditional: load.isConditional,
      configuration: configuration)
    switch verdict {
    case .success:
      end(load, with: .success(response(load, transfer, outcome)))
    case .redirect(let target):
      do throws(HTTPFailure) {
        try load.follow(target, status: outcome.status, limit: configuration.maxRedirects)
        load.interval = signposts.waiting(load)
        signposts.emit(.followRedirect, load)
        keep(load)
        enqueue(load)
      } catch {
        end(load, with: .failure(load.explain(error)))
      }
    case .failure(var failure):
      fillSink(of: load, from: transfer, atLeast: 1)
      failure.partialBody = transfer.takePartialBody()
      tryAgainOrFail(load, failure, outcome)
    }
  }

  private func response(_ load: Load, _ transfer: CurlTransfer, _ outcome: TransferOutcome) -> HTTPResponse {
    HTTPResponse(
      status: outcome.status, body: transfer.takeBody(), fields: transfer.fields, redirects: load.redirects,
      isLengthUnverified: outcome.isLengthUnverified, duration: (now - load.began) / .seconds(1),
      attempts: load.attempts)
  }

  /// Holds a load between two exchanges, when nothing of a body is there.
  private func keep(_ load: Load) {
    giveRoom(of: load)
    load.roomTaken = 0
  }

  private mutating func waitForDescriptors(_ load: Load) {
    scheduler.shrink()
    // Connections that are kept for later hold descriptors too.
    multi.keep(scheduler.placeLimit)
    load.shortages += 1
    keep(load)
    enqueue(load, due: now + min(.milliseconds(10) * load.shortages, .milliseconds(250)))
  }

  private mutating func tryAgainOrFail(_ load: Load, _ failure: HTTPFailure, _ outcome: TransferOutcome) {
    let host = load.hop.origin
    let moment = now
    let asked = outcome.retryAfterSeconds(now: HTTPDate.now)
    let hold = failure.isRetryable ? configuration.hold(retryAfter: asked) : nil
    // Also when this request is not tried again: the server's answer holds for all requests.
    if let hold { scheduler.block(host, until: moment + hold) }
    // A sink has kept the bytes so far, and the next request can resume; a retry would lose them.
    let isKept = load.submission.sink != nil && failure.partialBody != nil
    guard failure.isRetryable, !isKept,
      let wait = configuration.wait(
        attempt: load.attempts.count, elapsed: moment - (load.firstStart ?? moment), retryAfter: asked)
    else {
      if outcome.health == .unreachable, scheduler.failuresInARow(host) >= max(3, configuration.retries + 1) {
        reasons[host] = failure
        scheduler.giveUp(host, until: moment + configuration.maxRetryWait)
      }
      return end(load, with: .failure(load.explain(failure)))
    }
    // A busy or missing server concerns every request, a broken body only this one.
    let concernsHost = [429, 503].contains(outcome.status) || outcome.health == .unreachable
    if concernsHost { scheduler.block(host, until: moment + wait) }
    load.beginAgain(
      after: HTTPAttempt(
        code: failure.code, status: failure.status, seconds: (moment - load.start) / .seconds(1),
        wait: wait / .seconds(1)))
    load.interval = signposts.waiting(load)
    signposts.emit(.retryLoad, load)
    keep(load)
    enqueue(load, due: moment + wait)
    channel.count { $0.retries += 1 }
  }
}
