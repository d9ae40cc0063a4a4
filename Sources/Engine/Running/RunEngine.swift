import Concurrency
import Fetching
import JobFile
import Pictures
import Planning
import Rendering
import Signposts
import Text

/// Carries plans out: fetch, render, store, remember.
///
/// A source that has to be waited for has one task that runs through all steps; how many are under way at once follows
/// from the connections and workers, how many bytes they hold from the byte budget.
package struct RunEngine: Sendable {
  private(set) var run: RunFrame
  let tally: RunTally
  let sessions: [CacheSession]
  /// By plan; those with the same rules share one.
  let loaders: [HTTPLoader]
  let renderer: SourceRenderer
  let services: SourceServices
  var options: RunOptions { run.options }
  let signposts: Signposter

  private init(
    plans: [Plan], options: RunOptions, observer: any RunObserver
  ) throws {
    let options = options.widened(for: plans)
    signposts = options.signposts
    let tally = RunTally(plans, observer: observer, signposts: options.signposts)
    self.tally = tally
    var sessions: [CacheSession] = []
    var sessionOfCache: [ByteText: Int] = [:]
    // In one order for everybody: two runs that wait for each other's locks would wait for ever.
    for path in Set(plans.map { ByteText($0.settings.cache) }).sorted() {
      let cache = path.text
      sessionOfCache[path] = sessions.count
      sessions.append(
        try options.signposts.withInterval(.openCache, [.file: .text(cache)]) {
          try CacheSession(
            cache: cache, plans: plans.filter { $0.settings.cache.hasBytes(of: cache) }, options: options,
            settle: { tally.settle($0, $1, $2) })
        })
    }
    self.sessions = sessions
    for ledger in sessions.compactMap(\.ledger.damaged) {
      observer.warned(
        "\(ledger.message): all entries are made again, and prune removes none that it does not know",
        evenIfQuiet: true)
    }
    for notice in sessions.compactMap(\.ledger.notice) {
      observer.warned("\(notice): what it does not say is made again", evenIfQuiet: true)
    }
    run = RunFrame(plans, options) { sessionOfCache[ByteText($0)] ?? 0 }
    for index in sessions.compactMap(\.httpCache?.damagedIndex) { observer.warned(index) }
    for session in sessions where !session.isLocked {
      observer.warned(
        "the file system of \(session.state.cache) has no locks: let one run at a time work on this cache")
    }
    let budget = ByteBudget(bytes: options.maxBytesInFlight)
    options.signposts.sample(.bytesInFlight) { budget.held }
    var http = options.http
    http.bodyRoom = budget
    http.mayBeCut = PictureStructure.mayBeCut
    http.isAwaited = { ImageFormat.sniff($0) != nil }
    http.signposts = options.signposts
    var known: [NetworkRules: HTTPLoader] = [:]
    loaders = plans.map { plan in
      let rules = NetworkRules(plan.settings)
      let loader =
        known[rules] ?? HTTPLoader(configuration: rules.apply(to: http, credentials: options.credentials))
      known[rules] = loader
      return loader
    }
    renderer = SourceRenderer(
      pool: RenderPool(
        executable: options.renderer, arguments: options.workerArguments, workers: options.workers,
        signposts: options.signposts),
      limits: options.limits, formats: options.formats, isStrict: options.isStrict)
    services = SourceServices(
      stores: sessions,
      loader: { [loaders, sessions, sessionOfPlan = run.jobs.map(\.session)] work in
        let session = sessions[sessionOfPlan[work.first.plan]]
        return SourceLoader(
          http: loaders[work.first.plan], cache: session.httpCache, partials: session.partials)
      }, renderer: renderer, budget: budget, tally: tally, signposts: options.signposts)
  }

  /// Runs to the end, or until the surrounding task is cancelled: then nothing new is begun, what is
  /// finished is stored, and the report says that it was interrupted.
  ///
  /// A cache that can no longer be written ends the run, too: the report says why, and what is stored
  /// until then stays.
  ///
  /// - Parameter next: of a job whose sources come in while it runs: some sources more, with the settings of the one
  ///   plan; nil at the end.
  /// - Throws: ``StoreFailure`` where nothing could be begun.
  package static func run(
    _ plans: [Plan], options: RunOptions, observer: any RunObserver,
    next: (@Sendable () async -> Plan?)? = nil
  ) async throws(StoreFailure) -> RunReport {
    let clock = ContinuousClock()
    let start = options.started ?? clock.now
    let engine = try StoreFailure.storing {
      try RunEngine(plans: plans, options: options, observer: observer)
    }
    var storeFailure = await engine.run(next: next)
    if storeFailure?.code == .full {
      for session in engine.sessions {
        guard let bytes = session.httpCache?.currentDiskUsage, bytes > 0 else { continue }
        storeFailure?.message +=
          " The HTTP cache takes \(ByteCountText.text(bytes)) of it: lower http-cache, or remove \(session.state.http)."
      }
    }
    for loader in engine.loaders { loader.shutdown() }
    for session in engine.sessions { session.httpCache?.close() }
    var report = engine.tally.current
    report.connections = engine.loaders.flatMap(\.connections).map {
      HostConnections(origin: $0, most: $1.most, halvings: $1.halvings)
    }.sorted { ($1.most, $0.origin) < ($0.most, $1.origin) }
    report.storeFailure = storeFailure
    report.duration = (clock.now - start) / .seconds(1)
    if let confinement = engine.renderer.pool.confinement {
      report.confinement = confinement.names
      if !confinement.contains(.filter) {
        observer.warned(
          "pictures were decoded without a filter of system calls, as --allow-unconfined allows")
      } else if !confinement.missingNames.isEmpty {
        observer.warned(
          "pictures were decoded behind fewer walls than usual; missing here: "
            + confinement.missingNames.joined(separator: ", "))
      }
    }
    report.isInterrupted = engine.isInterrupted
    return report
  }

  /// The same engine at work on more of a job: a plan with the settings of the first.
  private func taking(_ plan: Plan) -> RunEngine {
    var engine = self
    engine.run = RunFrame([plan], options) { _ in 0 }
    return engine
  }

  private func run(next: (@Sendable () async -> Plan?)?) async -> StoreFailure? {
    let failure: StoreFailure?
    if let next {
      failure = await forEach(atMost: Self.batchesAtOnce, from: next) { plan in
        self.tally.count { $0.counts.count(plan) }
        return await self.taking(plan).runSources()
      }
    } else {
      failure = await runSources()
    }
    // Nothing is drawn any more: the workers end while the last files get their names.
    async let ended: Void = renderer.pool.shutdown()
    let last = await finish(after: failure)
    await ended
    return last
  }

  /// The limit for a stream: a server that hangs does not stop it, and memory has a bound.
  private static let batchesAtOnce = 8

  private func runSources() async -> StoreFailure? {
    // Sources whose servers hang are in it too, and must not keep the others out.
    let window = 5 * options.http.maxConcurrent + 2 * options.workers
    let count = run.jobs.reduce(0) { $0 + $1.plan.sources.count }
    let works = Locked(SourceWork.collect(run.jobs.map(\.plan)).makeIterator())
    var lines = repeatElement(works, count: min(window, count)).makeIterator()
    return await forEach(atMost: window, from: { lines.next() }, serve)
  }

  /// One source after the other: a task for each would cost more than some sources do, and one that waits for nothing
  /// does not leave its thread.
  private func serve(_ works: Locked<AnyIterator<SourceWork>>) async -> StoreFailure? {
    do {
      while !Task.isCancelled, let work = works.withLock({ $0.next() }) {
        var source = SourceRun(work, in: run, with: services)
        try await source.process()
      }
      return nil
    } catch {
      return StoreFailure(error)
    }
  }

  /// Runs `body` for each item, `window` at once, until there are no more or one has failed.
  private func forEach<Work: Sendable>(
    atMost window: Int, from next: () async -> Work?,
    _ body: @escaping @Sendable (Work) async -> StoreFailure?
  ) async -> StoreFailure? {
    await withTaskGroup(of: StoreFailure?.self) { group in
      var failure: StoreFailure?
      var underWay = 0
      while failure == nil, !Task.isCancelled, let work = await next() {
        if underWay >= window {
          failure = await group.next() ?? nil
          underWay -= 1
        }
        group.addTask { await body(work) }
        underWay += 1
      }
      if failure != nil { group.cancelAll() }
      for await ended in group where failure == nil {
        failure = ended
        if ended != nil { group.cancelAll() }
      }
      return failure
    }
  }

  private func finish(after failure: StoreFailure?) async -> StoreFailure? {
    var failure = failure
    // Also after a failure or a signal: what is finished must not be lost.
    for session in sessions {
      do { try await session.writer.publish() } catch { failure = failure ?? StoreFailure(error) }
    }
    if let failure { return failure }
    async let taken: Void = checkpoint()
    do { try finishSessions() } catch { failure = StoreFailure(error) }
    await taken
    return failure
  }

  private func checkpoint() async {
    for session in sessions { await session.checkpoint() }
  }

  private func finishSessions() throws {
    var refusal: StoreFailure?
    for session in sessions {
      do { try prune(session) } catch let failure as StoreFailure where failure.code == .pruning {
        refusal = refusal ?? failure
      }
      let finished = try signposts.withInterval(.finishCache) {
        try session.finish(date: options.date, isWhole: !isInterrupted)
      }
      guard let (found, size) = finished else { continue }
      tally.count {
        $0.listings[size.path] = found
        $0.caches.append(size)
      }
    }
    if let refusal { throw refusal }
  }

  private func prune(_ session: CacheSession) throws {
    if let obstacle = Pruning.obstacle(session.plans) { tally.warn(obstacle) }
    guard !Task.isCancelled, let pruned = try session.prune() else { return }
    tally.count {
      $0.prunedFiles = ($0.prunedFiles ?? 0) + pruned.files
      $0.prunedBytes += Int(clamping: pruned.bytes)
    }
  }

  private var isInterrupted: Bool { Task.isCancelled && tally.current.counts.leftUndone > 0 }
}
