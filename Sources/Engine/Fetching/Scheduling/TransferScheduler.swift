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

  /// How many may run at once: as many as are configured, fewer where file descriptors are short.
  private(set) var places: Int
  private let mostPlaces: Int
  private var successes = 0
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
    mostPlaces = max(1, maxConcurrent)
    places = mostPlaces
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
    guard running.count - parked.count < places, running.count < mostPlaces * (1 + Self.parkedPerPlace) else {
      return .idle
    }
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
  ///   - sign: what the host says of the number of connections.
  package mutating func finish(
    _ id: ID, health: HostHealth?, answered: HostWay? = nil, sign: WidthSign? = nil,
    at moment: Duration = .zero
  ) {
    guard let host = running.removeValue(forKey: id) else { return }
    parked.remove(id)
    // A fixed number falls only where there is no other way.
    let most = mostPerHost ?? (sign == .oneTooMany ? maxConcurrentPerHost : nil)
    let width = most.map { HostWidth(usual: maxConcurrentPerHost, most: $0) }
    hosts[host]?.finish(health, answered, sign, width: width, at: moment)
    guard health == .reached, places < mostPlaces else { return }
    // After 64 of them one place more is tried again.
    successes += 1
    if successes % 64 == 0 { places += 1 }
  }

  package mutating func remove(_ id: ID) {
    if let host = waiting.removeValue(forKey: id) { hosts[host]?.line.remove(id) }
    delayed.removeAll { $0.entry.ticket == id }
    finish(id, health: nil)
  }

  /// What is known of a host.
  subscript(host: String) -> HostState {
    get { hosts[host] ?? HostState(to: host) }
    set { hosts[host] = newValue }
  }

  private var isOtherThere: Bool { !running.isEmpty || !waiting.values.allSatisfy { self[$0].mustBeAlone } }

  /// Says whether a running transfer is so slow that its place may be lent to another host's.
  mutating func park(_ id: ID, _ isSlow: Bool) {
    guard running[id] != nil else { return }
    if isSlow { parked.insert(id) } else { parked.remove(id) }
  }

  /// No file descriptor was left beside those of the transfers that run now.
  package mutating func shrink() { places = max(1, min(places, running.count)) }

  /// Of the hosts that got another number of connections than usual.
  var widths: [String: HostWidth] { hosts.compactMapValues(\.width).filter(\.value.isUnusual) }

  var hasWaiting: Bool { !waiting.isEmpty }

  private func limit(_ state: HostState) -> Int {
    state.limit(
      maxConcurrentPerHost, streams: maxStreamsPerHost, most: mostPerHost ?? maxConcurrentPerHost)
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
}
