import Signposts
import Text

/// The life of the loader's one thread. Everything in it is used on that thread only.
struct TransferLoop {
  let channel: TransferChannel
  let multi: CurlMulti
  let configuration: HTTPConfiguration
  let rules: HostRules
  let signposts: Signposter
  var scheduler: TransferScheduler
  var loads: [UInt64: Load] = [:]
  /// The requests of libcurl's handles.
  var owners: [OpaquePointer: UInt64] = [:]
  /// Requests that show whether their host has HTTP/2.
  var probes: Set<UInt64> = []
  var lanes: [String: HostLanes] = [:]
  var lastLane = 0
  /// Those that hold answers back.
  var holding: [Lane] = []
  /// How many of the requests have a sink.
  var watchedLoads = 0
  /// Why a host was given up, for the requests that are refused because of it.
  var reasons: [String: HTTPFailure] = [:]
  /// When slow exchanges are looked for again.
  var nextWatch: Duration = .zero
  /// Answers that callers still wait for: the connections are kept busy first, and callers are woken together.
  private var answers: [(to: TransferChannel.Submission, result: LoadResult, since: Duration)] = []
  private let epoch = ContinuousClock.now

  typealias LoadResult = Result<HTTPResponse, HTTPFailure>

  init(channel: TransferChannel, multi: CurlMulti, configuration: HTTPConfiguration) {
    self.channel = channel
    self.multi = multi
    self.configuration = configuration
    rules = HostRules(configuration)
    signposts = configuration.signposts
    scheduler = TransferScheduler(
      maxConcurrent: configuration.maxConcurrent, maxConcurrentPerHost: configuration.maxConcurrentPerHost,
      maxStreamsPerHost: configuration.maxStreamsPerHost, mostPerHost: configuration.mostPerHost)
  }

  var now: Duration { ContinuousClock.now - epoch }

  /// Runs until the channel is closed.
  ///
  /// The order matters to libcurl: what has finished is drained between perform and poll, or a poll sleeps
  /// on work that is already done; and after a start nothing sleeps either.
  mutating func run() {
    while accept(channel.take()) {
      multi.perform()
      noteSharing()
      if mustReportAnswers { reportAnswers() }
      fillSinks()
      var isBusy = false
      while let (key, result) = multi.nextFinished() {
        isBusy = true
        finish(key, result)
      }
      let restPause = letLanesRest()
      let watchPause = watch()
      let roomPause = letPausedGoOn()
      let pause = startWhatMayStart()
      guard !isBusy, answers.isEmpty || scheduler.hasWaiting, let pause, let roomPause, let restPause
      else { continue }
      multi.poll(min(pause, watchPause, roomPause, restPause, answers.isEmpty ? pause : Self.longestSilence))
    }
    for load in loads.values {
      if let transfer = load.transfer, transfer.isFirst { fillSink(of: load, from: transfer, atLeast: 1) }
      end(load, with: .failure(.shutDown))
    }
    reportAnswers()
    channel.widths.withLock { $0 = scheduler.widths }
  }

  /// - Returns: whether to go on.
  private mutating func accept(_ commands: TransferChannel.Commands) -> Bool {
    for submission in commands.submissions {
      guard !submission.isCancelled.withLock({ $0 }) else {
        submission.continuation.resume(returning: .failure(.cancelled))
        continue
      }
      let load = Load(submission, began: now)
      load.interval = signposts.waiting(load)
      loads[load.id] = load
      if load.isWatched { watchedLoads += 1 }
      enqueue(load)
    }
    for id in commands.cancellations {
      guard let load = loads[id] else { continue }
      scheduler.remove(id)
      var failure = HTTPFailure.cancelled
      if let transfer = load.transfer, transfer.isFirst {
        fillSink(of: load, from: transfer, atLeast: 1)
        failure.cutBody = transfer.cutBody
      }
      end(load, with: .failure(failure))
    }
    return !commands.isClosed
  }

  /// - Parameter due: not to be started before this moment.
  mutating func enqueue(_ load: Load, due: Duration = .zero) {
    scheduler.enqueue(
      load.id, host: load.hop.origin, priority: load.submission.request.priority, due: due,
      rate: rules.rate(of: load.hop))
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
    let host = scheduler[load.hop.origin]
    (load.way, load.breaks, load.isAlone) = (host.way, host.breaks, host.mustBeAlone)
    load.hasCompany = host.connections(configuration.maxConcurrentPerHost) > 1
    // What tells lanes apart is what a link-local address needs.
    if load.needsOwn || load.way == .kept && load.hop.host.hasPrefix("fe80:") { load.way = .alone }
    load.lane = load.way == .kept ? takeLane(of: load.hop.origin) : nil
    load.lane?.isBusy = true
    do throws(HTTPFailure) {
      let transfer = try CurlTransfer(load, rules)
      guard multi.add(transfer) else { throw .noHandle }
      let moment = now
      load.transfer = transfer
      load.hopBefore = nil
      load.firstStart = load.firstStart ?? moment
      load.seen = (0, moment)
      owners[transfer.pointer] = id
      if load.way == .shared, !host.isKnownToShare { probes.insert(id) }
      signposts.begin(load)
    } catch {
      load.lane?.isBusy = false
      scheduler.finish(id, health: nil)
      end(load, with: .failure(load.explain(error)))
    }
  }

  /// More requests for a host follow the first one as soon as that is under way over HTTP/2.
  private mutating func noteSharing() {
    for id in probes {
      guard let load = loads[id], let transfer = load.transfer else {
        probes.remove(id)
        continue
      }
      guard transfer.isSent else { continue }
      if !transfer.isHTTP1 { scheduler[load.hop.origin].turn(to: .shared) }
      probes.remove(id)
    }
  }

  private mutating func refuse(_ id: UInt64) {
    guard let load = loads[id] else { return }
    let reason = "not tried, since \(load.hop.authority) was out of reach just before"
    let known = reasons[load.hop.origin] ?? .noHandle
    let failure = HTTPFailure(known.code, at: load.hop, reason, isRetryable: known.isRetryable)
    end(load, with: .failure(load.explain(failure)))
  }

  /// Answers the caller and forgets the request.
  mutating func end(_ load: Load, with result: LoadResult) {
    signposts.giveUp(load)
    if loads.removeValue(forKey: load.id) != nil, load.isWatched { watchedLoads -= 1 }
    giveRoom(of: load)
    if let transfer = load.transfer, owners.removeValue(forKey: transfer.pointer) != nil {
      multi.remove(transfer)
      // What it left in its connection is not known.
      if let lane = load.lane { doubt(lane, isProved: false) }
    }
    answers.append((load.submission, result, now))
  }

  /// The most answers that wait for one another, and the longest wait, while other requests can go on.
  private static let manyAnswers = 32
  private static let longestSilence: Duration = .milliseconds(1)

  private var mustReportAnswers: Bool {
    guard let first = answers.first else { return false }
    return answers.count >= Self.manyAnswers || !scheduler.hasWaiting
      || now - first.since >= Self.longestSilence
  }

  private mutating func reportAnswers() {
    for answer in answers { answer.to.continuation.resume(returning: answer.result) }
    answers.removeAll(keepingCapacity: true)
  }
}
