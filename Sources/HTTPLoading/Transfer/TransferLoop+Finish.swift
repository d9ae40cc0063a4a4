extension TransferLoop {
  /// Takes a finished exchange one step on: to its caller, to the next hop, or to another try.
  mutating func finish(_ key: OpaquePointer, _ result: TransferResult) {
    guard let id = owners.removeValue(forKey: key), var load = loads[id], let transfer = load.transfer else {
      return
    }
    let outcome = transfer.outcome(result)
    signposts.end(&load, outcome, transfer)
    channel.count {
      $0.transfers += 1
      $0.bytesOnWire += transfer.wireBytes
      $0.connectionsOpened += transfer.newConnections
    }
    load.transfer = nil
    scheduler.finish(id, health: outcome.health)

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
        loads[id] = load
        scheduler.enqueue(id, host: load.hop.origin, priority: load.submission.request.priority)
      } catch {
        end(load, with: .failure(load.explain(error)))
      }
    case .failure(var failure):
      failure.partialBody = transfer.partialBody
      tryAgainOrFail(load, failure, outcome)
    }
  }

  private func response(_ load: Load, _ transfer: CurlTransfer, _ outcome: TransferOutcome) -> HTTPResponse {
    HTTPResponse(
      status: outcome.status, body: transfer.body, contentType: outcome.contentType, etag: outcome.etag,
      lastModified: outcome.lastModified, fields: transfer.fields, redirects: load.redirects,
      isLengthUnverified: outcome.isLengthUnverified, duration: (now - load.began) / .seconds(1),
      retries: load.attempt)
  }

  private mutating func tryAgainOrFail(_ load: Load, _ failure: HTTPFailure, _ outcome: TransferOutcome) {
    let host = load.hop.origin
    let asked = outcome.retryAfterSeconds(now: HTTPDate.now)
    guard failure.isRetryable,
      let wait = policy.wait(attempt: load.attempt, retryAfter: asked, jitter: .random(in: 0...1))
    else {
      if outcome.health == .unreachable, scheduler.failuresInARow(host) >= max(3, policy.retries + 1) {
        reasons[host] = failure
        scheduler.giveUp(host, until: now + policy.maxWait)
      }
      return end(load, with: .failure(load.explain(failure)))
    }
    // A server that is busy or gone is so for every request; a broken body is the matter of one.
    let concernsHost = asked != nil || [429, 503].contains(outcome.status) || outcome.health == .unreachable
    let moment = now + wait
    if concernsHost { scheduler.block(host, until: moment) }
    var again = load
    again.beginAgain()
    again.interval = signposts.waiting(again)
    signposts.emit(.retryLoad, again)
    loads[load.id] = again
    scheduler.enqueue(
      load.id, host: again.hop.origin, priority: load.submission.request.priority, due: moment)
    channel.count { $0.retries += 1 }
  }
}
