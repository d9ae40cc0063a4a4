/// Decides which request may start when. A plain value: it takes what happened and answers what to do.
///
/// libcurl is never given more than may run, because it counts the wait in its own queue as part of a
/// transfer's time. Moments are durations since the loader was made.
struct TransferScheduler: Sendable {
  typealias ID = UInt64

  enum Action: Sendable, Hashable {
    case start(ID)
    /// The host has been given up for now; the request is not to be sent.
    case refuse(ID)
    /// Nothing to do before this moment, unless something happens.
    case wait(until: Duration)
    case idle
  }

  private struct Delayed {
    let entry: WaitingLine.Entry
    let host: String
    let due: Duration
  }

  private let maxConcurrent: Int
  private let maxConcurrentPerHost: Int
  private var hosts: [String: HostState] = [:]
  private var delayed: [Delayed] = []
  private var waiting: Set<ID> = []
  private var running: [ID: String] = [:]

  init(maxConcurrent: Int, maxConcurrentPerHost: Int) {
    self.maxConcurrent = max(1, maxConcurrent)
    self.maxConcurrentPerHost = max(1, maxConcurrentPerHost)
  }

  /// - Parameter due: not to be started before this moment.
  mutating func enqueue(
    _ id: ID, host: String, priority: HTTPRequest.Priority, due: Duration = .zero
  ) {
    waiting.insert(id)
    let entry = WaitingLine.Entry(id: id, priority: priority)
    if due > .zero {
      delayed.append(Delayed(entry: entry, host: host, due: due))
    } else {
      hosts[host, default: HostState()].line.insert(entry)
    }
  }

  /// The next thing to do; to be asked until it answers `wait` or `idle`.
  mutating func next(at now: Duration) -> Action {
    admitDelayed(at: now)
    var soonest = delayed.map(\.due).min()
    var best: (host: String, entry: WaitingLine.Entry)?
    for host in Array(hosts.keys) {
      guard let entry = firstWaiting(at: host), let state = hosts[host] else { continue }
      if state.downUntil > now { return .refuse(take(entry, from: host)) }
      if state.blockedUntil > now {
        soonest = min(soonest ?? state.blockedUntil, state.blockedUntil)
      } else if state.running < state.limit(maxConcurrentPerHost) {
        if best.map({ entry < $0.entry }) ?? true { best = (host, entry) }
      }
    }
    guard running.count < maxConcurrent else { return .idle }
    if let best {
      let id = take(best.entry, from: best.host)
      running[id] = best.host
      hosts[best.host]?.running += 1
      return .start(id)
    }
    return soonest.map { .wait(until: $0) } ?? .idle
  }

  /// The exchange is over; its place is free.
  mutating func finish(_ id: ID, health: HostHealth?) {
    guard let host = running.removeValue(forKey: id) else { return }
    hosts[host]?.running -= 1
    if let health { hosts[host]?.note(health) }
    dropIfIdle(host)
  }

  /// Forgets a request wherever it stands.
  mutating func remove(_ id: ID) {
    waiting.remove(id)
    delayed.removeAll { $0.entry.id == id }
    finish(id, health: nil)
  }

  /// Sends nothing to the host before this moment.
  mutating func block(_ host: String, until moment: Duration) {
    hosts[host, default: HostState()].blockedUntil = max(moment, hosts[host]?.blockedUntil ?? .zero)
  }

  /// Refuses what waits for the host, and what comes for it before this moment.
  mutating func giveUp(_ host: String, until moment: Duration) {
    hosts[host, default: HostState()].downUntil = moment
  }

  /// Connections to the host that failed since the last one that stood.
  func failuresInARow(_ host: String) -> Int { hosts[host]?.failuresInARow ?? 0 }

  private mutating func admitDelayed(at now: Duration) {
    guard delayed.contains(where: { $0.due <= now }) else { return }
    for item in delayed where item.due <= now {
      hosts[item.host, default: HostState()].line.insert(item.entry)
    }
    delayed.removeAll { $0.due <= now }
  }

  /// Entries that were removed stay in the heap until they come to its top.
  private mutating func firstWaiting(at host: String) -> WaitingLine.Entry? {
    while let entry = hosts[host]?.line.first {
      if waiting.contains(entry.id) { return entry }
      _ = hosts[host]?.line.popFirst()
    }
    dropIfIdle(host)
    return nil
  }

  private mutating func take(_ entry: WaitingLine.Entry, from host: String) -> ID {
    _ = hosts[host]?.line.popFirst()
    waiting.remove(entry.id)
    return entry.id
  }

  private mutating func dropIfIdle(_ host: String) {
    if let state = hosts[host], state.isForgettable { hosts[host] = nil }
  }
}
