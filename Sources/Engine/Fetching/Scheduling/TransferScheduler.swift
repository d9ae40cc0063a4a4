/// Decides which request may start when. A plain value: it takes what happened and answers what to do.
///
/// libcurl is never given more than may run, because it counts the wait in its own queue as part of a
/// transfer's time. Moments are durations since the loader was made.
struct TransferScheduler: Sendable {
  package typealias ID = UInt64

  package enum Action: Sendable, Hashable {
    case start(ID)
    /// The host has been given up for now; the request is not to be sent.
    case refuse(ID)
    /// Nothing to do before this moment, unless something happens.
    case wait(until: Duration)
    case idle
  }

  /// Nearly silent transfers do not count among those that run, up to this many for each place.
  private static let parkedPerPlace = 4

  private var places: PlaceLimit
  private let mostInAll: Int
  private let maxConcurrentPerHost: Int
  private let maxStreamsPerHost: Int
  /// Where a host may get more over HTTP/1.1, as long as that helps.
  private let mostPerHost: Int?
  private var hosts: [String: HostState] = [:]
  /// The hosts that may have something in their lines.
  private var queued: Set<String> = []
  private var delayed: [(entry: PriorityLine.Entry, host: String, due: Duration)] = []
  /// The hosts of requests that wait for a place or a moment.
  private var waiting: [ID: String] = [:]
  private var running: [ID: String] = [:]
  private var parked: Set<ID> = []

  /// - Parameter maxStreamsPerHost: of hosts whose transfers share a connection; nil for no other number.
  init(
    maxConcurrent: Int, maxConcurrentPerHost: Int, maxStreamsPerHost: Int? = nil, mostPerHost: Int? = nil
  ) {
    self.mostPerHost = mostPerHost
    places = PlaceLimit(maxConcurrent)
    mostInAll = max(1, maxConcurrent) * (1 + Self.parkedPerPlace)
    self.maxConcurrentPerHost = max(1, maxConcurrentPerHost)
    self.maxStreamsPerHost = max(1, maxStreamsPerHost ?? maxConcurrentPerHost)
  }

  /// - Parameters:
  ///   - due: not to be started before this moment.
  ///   - rate: how often the host may be asked; the first one that is given for a host holds.
  package mutating func enqueue(
    _ id: ID, host: String, priority: HTTPRequest.Priority, due: Duration = .zero,
    rate: HTTPRateLimit? = nil
  ) {
    waiting[id] = host
    let entry = PriorityLine.Entry(ticket: id, priority: priority)
    if let rate, hosts[host]?.bucket == nil {
      hosts[host, default: HostState(to: host)].bucket = TokenBucket(
        perSecond: rate.requestsPerSecond, burst: rate.burst)
    }
    if due > .zero {
      delayed.append((entry, host, due))
    } else {
      insert(entry, at: host)
    }
  }

  /// The next thing to do; to be asked until it answers `wait` or `idle`.
  package mutating func next(at now: Duration) -> Action {
    var soonest = admitDelayed(at: now)
    var best: (host: String, entry: PriorityLine.Entry)?
    for host in queued {
      guard let place = hosts.index(forKey: host), let entry = hosts.values[place].line.first() else {
        queued.remove(host)
        dropIfIdle(host)
        continue
      }
      let state = hosts.values[place]
      if state.downUntil > now { return .refuse(take(entry, from: host)) }
      if state.mustBeAlone, isOtherThere { continue }
      guard state.running < limit(state) else { continue }
      let ready = state.ready(at: now)
      if ready > now {
        soonest = min(soonest ?? ready, ready)
      } else if best.map({ entry < $0.entry }) ?? true {
        best = (host, entry)
      }
    }
    guard running.count - parked.count < places.now, running.count < mostInAll else { return .idle }
    if let best {
      let id = take(best.entry, from: best.host)
      running[id] = best.host
      hosts[best.host]?.running += 1
      hosts[best.host]?.bucket?.take(at: now)
      return .start(id)
    }
    return soonest.map { .wait(until: $0) } ?? .idle
  }

  /// - Parameters:
  ///   - answered: the way that the answer came; nil without one.
  ///   - asksForLess: the host says so, or broke off.
  package mutating func finish(
    _ id: ID, health: HostHealth?, answered: HostWay? = nil, asksForLess: Bool = false,
    at moment: Duration = .zero
  ) {
    guard let host = running.removeValue(forKey: id) else { return }
    parked.remove(id)
    let width = mostPerHost.map { HostWidth(usual: maxConcurrentPerHost, most: $0) }
    hosts[host]?.finish(health, answered, asksForLess, width: width, at: moment)
    if health == .reached { places.noteSuccess() }
    dropIfIdle(host)
  }

  package mutating func remove(_ id: ID) {
    if let host = waiting.removeValue(forKey: id) { hosts[host]?.line.remove(id) }
    delayed.removeAll { $0.entry.ticket == id }
    finish(id, health: nil)
  }

  package mutating func block(_ host: String, until moment: Duration) {
    hosts[host, default: HostState(to: host)].blockedUntil = max(moment, hosts[host]?.blockedUntil ?? .zero)
  }

  /// Refuses what waits for the host, and what comes for it before this moment.
  mutating func giveUp(_ host: String, until moment: Duration) {
    hosts[host, default: HostState(to: host)].downUntil = moment
  }

  /// Notes the end of a connection that transfers may have shared; `isLast` where they no longer shall.
  mutating func noteBreak(of host: String, since breaks: Int, isLast: Bool) {
    hosts[host, default: HostState(to: host)].noteBreak(since: breaks, isLast: isLast)
  }

  /// Requests for the host go this way from now on, or one that it has come to since.
  mutating func turn(_ host: String, to way: HostWay) {
    hosts[host, default: HostState(to: host)].turn(to: way)
  }

  /// A host that took too much of the processor's time is asked when there is nothing else to do, one request at a time.
  mutating func noteFlood(of host: String) { hosts[host, default: HostState(to: host)].noteFlood() }

  func mustBeAlone(_ host: String) -> Bool { hosts[host]?.mustBeAlone ?? false }

  private var isOtherThere: Bool { !running.isEmpty || !waiting.values.allSatisfy(mustBeAlone) }

  func way(to host: String) -> (HostWay, breaks: Int) {
    hosts[host].map { ($0.way, $0.breaks) } ?? (HostWay(to: host), 0)
  }

  func isKnownToShare(_ host: String) -> Bool { hosts[host]?.isKnownToShare ?? false }

  /// Whether the host, which was seen to speak HTTP/2, never answered over HTTP/1.1.
  func mayRefuseHTTP1(_ host: String) -> Bool { hosts[host]?.mayRefuseHTTP1 ?? false }

  /// Says whether a running transfer is so slow that its place may be lent to another host's.
  mutating func park(_ id: ID, _ isSlow: Bool) {
    guard running[id] != nil else { return }
    if isSlow { parked.insert(id) } else { parked.remove(id) }
  }

  /// No file descriptor was left beside those of the transfers that run now.
  package mutating func shrink() { places.shrink(to: running.count) }

  /// Of the hosts that got another number of connections than usual.
  var widths: [String: HostWidth] { hosts.compactMapValues(\.width).filter(\.value.isUnusual) }

  var placeLimit: Int { places.now }
  var hasWaiting: Bool { !waiting.isEmpty }

  /// Connections to the host that failed since the last one that stood.
  func failuresInARow(_ host: String) -> Int { hosts[host]?.failuresInARow ?? 0 }

  private func limit(_ state: HostState) -> Int {
    state.limit(
      maxConcurrentPerHost, streams: maxStreamsPerHost, most: mostPerHost ?? maxConcurrentPerHost)
  }

  /// One more or one less connection of the host rests.
  mutating func rest(_ host: String, _ change: Int) {
    hosts[host, default: HostState(to: host)].resting += change
  }

  private mutating func insert(_ entry: PriorityLine.Entry, at host: String) {
    hosts[host, default: HostState(to: host)].line.insert(entry)
    queued.insert(host)
  }

  /// - Returns: when the next of those that stay is due.
  private mutating func admitDelayed(at now: Duration) -> Duration? {
    guard !delayed.isEmpty else { return nil }
    for item in delayed where item.due <= now { insert(item.entry, at: item.host) }
    delayed.removeAll { $0.due <= now }
    return delayed.lazy.map(\.due).min()
  }

  private mutating func take(_ entry: PriorityLine.Entry, from host: String) -> ID {
    hosts[host]?.line.remove(entry.ticket)
    waiting[entry.ticket] = nil
    return entry.ticket
  }

  private mutating func dropIfIdle(_ host: String) {
    if hosts[host]?.isForgettable == true { hosts[host] = nil }
  }
}
