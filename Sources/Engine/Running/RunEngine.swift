import CacheStore
import Fetching
import Planning
import Rendering
import Signposts

/// The state of a run: sessions, loaders, workers, counts.
struct RunEngine: Sendable {
  private(set) var plans: [Plan]
  /// Sources come while the run is on, with plans of their own.
  private let isStream: Bool
  let tally: RunTally
  let options: RunOptions
  let sessions: [CacheSession]
  let sessionOfPlan: [Int]
  /// The HTTP cache of each session's state folder.
  let webOfSession: [WebSources]
  let loaders: [NetworkRules: HTTPLoader]
  let renderer: SourceRenderer
  let budget: ByteBudget
  var signposts: Signposter { options.signposts }
  private(set) var identities: EntryIdentities

  var rules: SourceMachine.Rules {
    SourceMachine.Rules(
      isOffline: options.isOffline, reloads: options.reloads, isStrict: options.isStrict, date: options.date,
      limits: options.limits, bodyAllowance: options.http.bodyAllowance,
      maxBytesInFlight: options.maxBytesInFlight)
  }

  /// - Parameter isStream: sources come later, with plans of their own.
  init(
    plans: [Plan], options: RunOptions, observer: any RunObserver, isStream: Bool = false
  ) throws(StoreFailure) {
    self.plans = plans
    self.isStream = isStream
    let options = options.widened(for: plans)
    self.options = options
    tally = RunTally(
      planned: plans.reduce(0) { $0 + $1.renditionCount },
      skippedLines: plans.reduce(0) { $0 + $1.skipped.count }, observer: observer,
      signposts: options.signposts)
    let tally = tally
    var sessions: [CacheSession] = []
    var sessionOfCache: [String: Int] = [:]
    // In one order for everybody: two runs that wait for each other's locks would wait for ever.
    for cache in Set(plans.map(\.settings.cache)).sorted() {
      sessionOfCache[cache] = sessions.count
      sessions.append(
        try options.signposts.withInterval(.openCache, [.file: .text(cache)]) {
          () throws(StoreFailure) in
          try CacheSession(
            cache: cache, waitsForLock: options.waitsForLock, publishingDelay: options.publishingDelay,
            signposts: options.signposts, settle: tally.settle)
        })
    }
    self.sessions = sessions
    for rebuilding in sessions.compactMap(\.ledger.rebuilding) { observer.warned(rebuilding.message) }
    sessionOfPlan = plans.map { sessionOfCache[$0.settings.cache] ?? 0 }
    let sessionOfPlan = sessionOfPlan
    var webs: [WebSources] = []
    for (index, session) in sessions.enumerated() {
      let here = plans.indices.filter { sessionOfPlan[$0] == index }.map { plans[$0] }
      webs.append(try WebSources(session.state, plans: here, isStream: isStream))
    }
    webOfSession = webs
    for rebuilding in webs.compactMap(\.cache?.rebuilding) { observer.warned(rebuilding) }
    budget = ByteBudget(bytes: options.maxBytesInFlight)
    options.signposts.sample(.bytesInFlight) { [budget] in budget.held }
    var http = options.http
    http.bodyRoom = budget
    http.signposts = options.signposts
    var loaders: [NetworkRules: HTTPLoader] = [:]
    for rules in plans.map({ NetworkRules($0.settings) }) where loaders[rules] == nil {
      loaders[rules] = HTTPLoader(configuration: rules.apply(to: http, credentials: options.credentials))
    }
    self.loaders = loaders
    renderer = SourceRenderer(
      pool: RenderPool(
        executable: options.renderer, arguments: options.workerArguments, workers: options.workers,
        signposts: options.signposts),
      limits: options.limits, formats: options.formats, isStrict: options.isStrict)
    identities = EntryIdentities(plans: plans)
  }

  func shutdown() async {
    for loader in loaders.values { loader.shutdown() }
    await renderer.pool.shutdown()
  }

  /// The same engine at work on more of a job: a plan with the settings of the first.
  private func taking(_ plan: Plan) -> RunEngine {
    var engine = self
    engine.plans = [plan]
    engine.identities = EntryIdentities(plans: [plan])
    return engine
  }

  func run() async throws(StoreFailure) { try await finish(after: await runSources()) }

  /// Takes plans as they come, until there are no more.
  ///
  /// - Parameter next: some sources more; nil at the end.
  func run(next: @Sendable () async -> Plan?) async throws(StoreFailure) {
    let failure = await forEach(atMost: Self.batchesAtOnce, from: next) { plan in
      self.tally.add(planned: plan.renditionCount, skippedLines: plan.skipped.count)
      return await self.taking(plan).runSources()
    }
    try await finish(after: failure)
  }

  /// The limit for a stream: a server that hangs does not stop it, and memory has a bound.
  private static let batchesAtOnce = 8

  private func runSources() async -> StoreFailure? {
    var works = SourceWork.collect(plans).makeIterator()
    // Sources whose servers hang are in it too, and must not keep the others out.
    let window = 5 * options.http.maxConcurrent + 2 * options.workers
    return await forEach(atMost: window, from: { works.next() }, self.attempt)
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
      for await ended in group where failure == nil { failure = ended }
      return failure
    }
  }

  private func finish(after failure: StoreFailure?) async throws(StoreFailure) {
    var failure = failure
    // Also after a failure or a signal: what is finished must not be lost.
    for session in sessions {
      do throws(StoreFailure) { try await session.writer.publish() } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
    if isStream {
      for (session, plan) in zip(sessions, plans) { try session.finishStream(plan, date: options.date) }
      return
    }
    for (index, session) in sessions.enumerated() {
      let here = plans.indices.filter { sessionOfPlan[$0] == index }.map { plans[$0] }
      if let obstacle = Plan.pruningObstacle(here) { tally.warn(obstacle) }
      if !Task.isCancelled, let pruned = try session.prune(here) { tally.pruned(pruned) }
      let size = try signposts.withInterval(.finishCache) { () throws(StoreFailure) in
        try session.finish(here, date: options.date)
      }
      if let size { tally.finished(size) }
    }
  }

  private func attempt(_ work: SourceWork) async -> StoreFailure? {
    do throws(StoreFailure) {
      try await process(work)
      return nil
    } catch {
      return error
    }
  }
}
