import ClientKit
import Foundation
import Text

/// Asks a cache for the requests of a session, in their order, as the app would.
package struct SessionReplay {
  private let cache: ReplayedCache
  /// When the cache is installed, and when the session begins.
  private let now, start: Date
  /// What is left of the cache; when each expires.
  private var alive: [ByteText: Date?] = [:]
  private var lost: [ByteText: SweepReason] = [:]
  private var shapes: Shapes
  private var used: Set<ByteText> = []
  private var asked: Set<ByteText> = []
  /// Sources of which an entry was found.
  private var sources: Set<ByteText> = []
  private var missed = MissedChains()
  /// Read where something is missing: it takes as long as planning them.
  private var jobs: ReplayedJobs?
  package private(set) var report: ReplayReport

  /// - Parameters:
  ///   - sizeLimit: bytes that the app lets its cache take; nil for the client's own default.
  ///   - now: when the cache is installed.
  ///   - after: seconds from the installation to the session.
  package init(
    _ cache: ReplayedCache, sizeLimit: Int? = nil, now: Date = Date(), after: TimeInterval = 0
  ) {
    self.cache = cache
    (self.now, start) = (now, now.addingTimeInterval(after))
    shapes = Shapes(client: cache.client)
    report = ReplayReport(
      cache: cache.path, client: cache.client.identity,
      sizeLimit: sizeLimit ?? cache.client.folder.defaultSizeLimit, after: after,
      entries: cache.entries.count, bytes: cache.entries.values.reduce(0) { $0 + $1.size })
    for (name, entry) in cache.entries { alive[name] = .some(entry.expires) }
    sweep()
  }

  // MARK: Before the session

  /// The app's own sweep goes through the folder once before the session.
  private mutating func sweep() {
    let files = cache.entries.values.map(\.file).sorted { $0.path < $1.path }
    for victim in cache.client.victims(among: files, sizeLimit: report.sizeLimit, now: start) {
      lose(ByteText(victim.file.path), victim.reason)
    }
  }

  private mutating func lose(_ file: ByteText, _ reason: SweepReason) {
    guard alive.removeValue(forKey: file) != nil else { return }
    lost[file] = reason
    if reason == .expired { report.expired += 1 } else { report.swept += 1 }
  }

  /// Says in the words of the cache's jobs which lines would answer what was missed.
  package mutating func cure(with job: KeyJob, of requests: [ReplayedRequest]) {
    report.cure(with: job, of: requests) { jobs?.spelled($0) ?? $0 }
  }

  // MARK: The session

  package mutating func run(_ session: consuming RecordedSession) -> [ReplayedRequest] {
    let first = session.requests.lazy.compactMap(\.at).first
    var requests: [ReplayedRequest] = []
    requests.reserveCapacity(session.requests.count)
    for request in session.requests {
      let passed = first.flatMap { first in request.at.map { max(0, $0 - first) } } ?? 0
      requests.append(ask(request, number: requests.count + 1, at: start.addingTimeInterval(passed)))
    }
    report.unread = session.faults.count
    finish()
    return requests
  }

  private mutating func ask(_ request: RecordedRequest, number: Int, at time: Date) -> ReplayedRequest {
    let lookups = shapes.lookups(of: request)
    let isRepeated = !asked.insert(ByteText(request.key)).inserted
    var replayed = ReplayedRequest(
      number: number, request: request, outcome: .miss, reason: "", chain: lookups.label,
      readsNothing: lookups.options.noDiskRead || lookups.options.skipsOwn, isRepeated: isRepeated)
    if request.found == .memory {
      replayed.outcome = .memory
      replayed.reason = "it was answered from memory when it was recorded"
      report.count(replayed)
      return replayed
    }
    var states: [(key: KeySuffix, state: EntryState)] = []
    var hit: ByteText?
    for step in lookups.steps {
      let (file, state) = state(of: step.files, at: time)
      states.append((step.key, state))
      if state == .present, hit == nil { hit = file }
    }
    let finding = cache.client.finding(
      (
        form: lookups.form, options: lookups.options, steps: states,
        original: lookups.original.map { state(of: [$0], at: time).state }, hints: []
      ))
    replayed.reason = finding.reason
    replayed.outcome = [.exact: .exact, .partial: .partial][finding.outcome] ?? .miss
    if finding.outcome != .miss, let hit, let entry = cache.entries[hit] {
      replayed.file = entry.file.entry.name
      used.insert(hit)
      prolong(hit, at: time)
      count(replayed, entry, lookups)
    }
    let gone = lookups.steps.first.flatMap { step in step.files.first { lost[$0] != nil } }
    if finding.outcome != .exact, let gone, let reason = lost[gone] {
      replayed.lost = reason
      // The app asks for it: it is not what to leave out.
      used.insert(gone)
      replayed.reason += reason == .expired ? "; it had expired" : "; a sweep had removed it"
    }
    if replayed.lacksEntry {
      if jobs == nil { jobs = ReplayedJobs(cache.jobs, of: cache) }
      replayed.isPlanned = jobs?.store(lookups.steps.first?.files ?? []) ?? false
      if replayed.isPlanned, replayed.lost == nil { replayed.reason += "; a run of the cache's job makes it" }
    }
    report.count(replayed)
    missed.add(replayed, base: lookups.base)
    return replayed
  }

  private func state(of files: [ByteText], at time: Date) -> (file: ByteText, state: EntryState) {
    for file in files {
      guard let expires = alive[file] else { continue }
      if let expires, expires <= time { return (file, .expired) }
      return (file, cache.entries[file]?.file.entry.size == 0 ? .empty : .present)
    }
    return (files.first ?? ByteText(""), .absent)
  }

  /// A read gives the entry its period again, counted from now.
  private mutating func prolong(_ file: ByteText, at time: Date) {
    guard cache.client.folder.readsProlong, let expires = cache.entries[file]?.expires else { return }
    let period = expires.timeIntervalSince(now)
    alive[file] = .some(time.addingTimeInterval(period))
  }

  /// What an app is spared by a hit.
  private mutating func count(_ replayed: ReplayedRequest, _ entry: ReplayedCache.Entry, _ lookups: Lookups) {
    let original = lookups.original.flatMap { cache.entries[$0] }
    if sources.insert(ByteText(lookups.base)).inserted {
      report.sourcesSaved += 1
      report.bytesSaved += original?.file.entry.size ?? 0
      if original == nil { report.sourcesOfUnknownSize += 1 }
    }
    if replayed.outcome == .exact, !(lookups.original?.text.hasBytes(of: entry.file.entry.name) ?? false) {
      report.processingSaved += 1
    }
  }

  // MARK: Afterwards

  private mutating func finish() {
    report.missed = missed.list(jobs?.names ?? [:])
    // A million requests are remembered; what comes next needs the room.
    (asked, sources) = ([], [])
    report.unused = cache.entries.values.filter { !used.contains(ByteText($0.file.path)) }
      .sorted { ($1.size, $0.file.path) < ($0.size, $1.file.path) }
  }
}
