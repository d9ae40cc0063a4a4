/// The life of the loader's one thread. Everything in it is used on that thread only.
struct TransferLoop {
  let channel: TransferChannel
  let multi: CurlMulti
  let configuration: HTTPConfiguration
  let addressGuard: AddressGuard
  let policy: RetryPolicy
  let signposts: LoadSignposts
  var scheduler: TransferScheduler
  var loads: [UInt64: Load] = [:]
  /// Whose exchange a finished libcurl handle is.
  var owners: [OpaquePointer: UInt64] = [:]
  /// Why a host was given up, for the requests that are refused because of it.
  var reasons: [String: HTTPFailure] = [:]
  private let epoch = ContinuousClock.now

  init(channel: TransferChannel, multi: CurlMulti, configuration: HTTPConfiguration) {
    self.channel = channel
    self.multi = multi
    self.configuration = configuration
    addressGuard = AddressGuard(allowPrivate: configuration.allowPrivate)
    policy = RetryPolicy(configuration)
    signposts = LoadSignposts(signposts: configuration.signposts)
    scheduler = TransferScheduler(
      maxConcurrent: configuration.maxConcurrent, maxConcurrentPerHost: configuration.maxConcurrentPerHost)
  }

  var now: Duration { ContinuousClock.now - epoch }

  /// Runs until the channel is closed.
  ///
  /// The order matters to libcurl: what has finished is drained between perform and poll, or a poll sleeps
  /// on work that is already done; and after a start nothing sleeps either.
  mutating func run() {
    while accept(channel.take()) {
      multi.perform()
      reportProgress()
      var isBusy = false
      while let (key, result) = multi.nextFinished() {
        isBusy = true
        finish(key, result)
      }
      let pause = startWhatMayStart()
      if !isBusy, let pause { multi.poll(pause) }
    }
    for load in loads.values { end(load, with: .failure(.shutDown)) }
  }

  /// - Returns: whether to go on.
  private mutating func accept(_ commands: TransferChannel.Commands) -> Bool {
    for submission in commands.submissions {
      guard !submission.ticket.isCancelled else {
        submission.continuation.resume(returning: .failure(.cancelled))
        continue
      }
      var load = Load(submission, began: now)
      load.interval = signposts.waiting(load)
      loads[load.id] = load
      scheduler.enqueue(load.id, host: load.hop.origin, priority: submission.request.priority)
    }
    for id in commands.cancellations {
      guard let load = loads[id] else { continue }
      scheduler.remove(id)
      var failure = HTTPFailure.cancelled
      failure.partialBody = load.transfer?.partialBody
      end(load, with: .failure(failure))
    }
    return !commands.isClosed
  }

  private mutating func reportProgress() {
    for id in owners.values {
      guard let load = loads[id], let report = load.submission.progress, let transfer = load.transfer else {
        continue
      }
      let progress = transfer.progress
      guard progress.received > load.reported else { continue }
      loads[id]?.reported = progress.received
      report(progress)
    }
  }

  /// - Returns: how long to sleep, `nil` when something was started or refused.
  private mutating func startWhatMayStart() -> Duration? {
    var isBusy = false
    while true {
      switch scheduler.next(at: now) {
      case .start(let id):
        isBusy = true
        start(id)
      case .refuse(let id):
        isBusy = true
        refuse(id)
      case .wait(let moment):
        return isBusy ? nil : moment - now
      case .idle:
        return isBusy ? nil : .seconds(60)
      }
    }
  }

  private mutating func start(_ id: UInt64) {
    guard let load = loads[id] else { return scheduler.finish(id, health: nil) }
    let isGuarded = !addressGuard.allowsPrivate(host: load.hop.host, port: load.hop.port)
    guard
      let transfer = CurlTransfer(
        url: load.hop, headers: load.headers, credentials: load.credentials, isGuarded: isGuarded,
        configuration: configuration),
      multi.add(transfer)
    else {
      scheduler.finish(id, health: nil)
      return end(load, with: .failure(.noHandle))
    }
    loads[id]?.transfer = transfer
    signposts.begin(&loads[id])
    owners[transfer.pointer] = id
  }

  private mutating func refuse(_ id: UInt64) {
    guard let load = loads[id] else { return }
    var failure = reasons[load.hop.origin] ?? .noHandle
    failure.message =
      "\(RedactedURL(load.hop.text)): not tried, since \(load.hop.authority) was out of reach just before"
    end(load, with: .failure(load.explain(failure)))
  }

  /// Answers the caller and forgets the request.
  mutating func end(_ load: Load, with result: Result<HTTPResponse, HTTPFailure>) {
    signposts.giveUp(load)
    loads[load.id] = nil
    if let transfer = load.transfer, owners.removeValue(forKey: transfer.pointer) != nil {
      multi.remove(transfer)
    }
    load.submission.continuation.resume(returning: result)
  }
}
