import CacheCore
import HTTPLoading
import Rendering

/// What a run holds while it goes: sessions, loaders, workers, counts.
final class RunEngine: Sendable {
  let plans: [Plan]
  let tally: RunTally
  let options: RunOptions
  let sessions: [CacheSession]
  let sessionOfPlan: [Int]
  /// What each session's state folder remembers of the web.
  let webOfSession: [WebSources]
  let loaders: [[String]: HTTPLoader]
  let renderer: SourceRenderer
  private let budget: ByteBudget
  let identities: EntryIdentities

  init(plans: [Plan], options: RunOptions, observer: any RunObserver) throws(StoreFailure) {
    self.plans = plans
    self.options = options
    tally = RunTally(planned: plans.reduce(0) { $0 + $1.renditionCount }, observer: observer)
    var sessions: [CacheSession] = []
    var sessionOfCache: [String: Int] = [:]
    // In one order for everybody: two runs that wait for each other's locks would wait for ever.
    for cache in Set(plans.map(\.settings.cache)).sorted() {
      sessionOfCache[cache] = sessions.count
      sessions.append(try CacheSession(cache: cache, waitsForLock: options.waitsForLock))
    }
    self.sessions = sessions
    sessionOfPlan = plans.map { sessionOfCache[$0.settings.cache] ?? 0 }
    let sessionOfPlan = sessionOfPlan
    var webs: [WebSources] = []
    for (index, session) in sessions.enumerated() {
      let here = plans.indices.filter { sessionOfPlan[$0] == index }.map { plans[$0] }
      webs.append(try WebSources(session.state, plans: here))
    }
    webOfSession = webs
    var loaders: [[String]: HTTPLoader] = [:]
    for allowed in plans.map(\.settings.allowPrivate) where loaders[allowed] == nil {
      var configuration = options.http
      configuration.allowPrivate += allowed
      loaders[allowed] = HTTPLoader(configuration: configuration)
    }
    self.loaders = loaders
    renderer = SourceRenderer(
      pool: RenderPool(executable: options.renderer, workers: options.workers), limits: options.limits,
      formats: options.formats, isStrict: options.isStrict)
    budget = ByteBudget(bytes: options.maxBytesInFlight)
    identities = EntryIdentities(plans: plans)
  }

  func shutdown() async {
    for loader in loaders.values { loader.shutdown() }
    await renderer.pool.shutdown()
  }

  func run() async throws(StoreFailure) {
    let works = SourceWork.collect(plans)
    let window = options.http.maxConcurrent + 2 * options.workers
    var failure = await withTaskGroup(of: StoreFailure?.self) { group in
      var failure: StoreFailure?
      var underWay = 0
      for work in works {
        if Task.isCancelled || failure != nil { break }
        if underWay >= window {
          failure = await group.next() ?? nil
          underWay -= 1
        }
        group.addTask { await self.attempt(work) }
        underWay += 1
      }
      if failure != nil { group.cancelAll() }
      for await ended in group where failure == nil { failure = ended }
      return failure
    }
    // Also after a failure or a signal: what is finished must not be lost.
    for session in sessions {
      do throws(StoreFailure) { tally.settle(try await session.writer.publish()) } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
    for (index, session) in sessions.enumerated() {
      let here = plans.indices.filter { sessionOfPlan[$0] == index }.map { plans[$0] }
      if let size = try session.finish(here, date: options.date) { tally.finished(size) }
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

  private func process(_ work: SourceWork) async throws(StoreFailure) {
    if Task.isCancelled { return }
    let needs = try needs(of: work)
    guard !needs.isEmpty else { return }
    let reserved = reservation(for: work)
    await budget.take(reserved)
    let outcome: SourceLoader.Outcome
    do throws(RunFailure) {
      outcome = try await load(work, needs)
    } catch {
      budget.give(reserved)
      if !Task.isCancelled { tally.settle(needs.tasks.map { $0.outcome(.failed(error)) }) }
      return
    }
    guard case .body(let body) = outcome else {
      budget.give(reserved)
      tally.validated()
      return tally.settle(needs.unproven.map { $0.task.outcome(.current) })
    }
    tally.fetched(body)
    budget.correct(from: reserved, to: body.bytes.count)
    defer { budget.give(body.bytes.count) }
    let tasks = try needs.needed + settleUnchanged(needs.unproven, body)
    if !tasks.isEmpty { try await render(tasks, of: body, work: work) }
  }

  /// Settles what was made from the very same bytes and returns the rest.
  private func settleUnchanged(
    _ unproven: [SourceNeeds.Unproven], _ body: SourceBody
  ) throws(StoreFailure) -> [RenditionTask] {
    var changed: [RenditionTask] = []
    for (task, known) in unproven.map({ ($0.task, $0.known) }) {
      guard known.digest == body.digest else {
        changed.append(task)
        continue
      }
      try sessions[task.session].renew(
        files: task.rendition.stores.map(\.fileName), etag: body.etag, lastModified: body.lastModified)
      tally.settle([task.outcome(.current)])
    }
    return changed
  }

  /// Bytes to hold free for a source before it is loaded. A download's size is known only later; a
  /// mebibyte stands for it until then.
  private func reservation(for work: SourceWork) -> Int {
    let known: Int? =
      switch work.scheme {
      case .http, .https: nil
      case .file: LocalFile.size(url: work.url)
      case .data: work.url.utf8.count
      }
    return min(max(known ?? 0, 1 << 20), options.maxBytesInFlight)
  }
}
