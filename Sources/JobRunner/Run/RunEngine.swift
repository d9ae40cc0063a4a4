import CacheCore
import HTTPLoading
import Rendering
import Signposts

/// What a run holds while it goes: sessions, loaders, workers, counts.
final class RunEngine: Sendable {
  let plans: [Plan]
  let tally: RunTally
  let options: RunOptions
  let sessions: [CacheSession]
  let sessionOfPlan: [Int]
  private let loaders: [[String]: HTTPLoader]
  let renderer: SourceRenderer
  private let budget: ByteBudget
  var signposts: Signposter { options.signposts }
  let identities: EntryIdentities

  init(plans: [Plan], options: RunOptions, observer: any RunObserver) throws(StoreFailure) {
    self.plans = plans
    self.options = options
    tally = RunTally(
      planned: plans.reduce(0) { $0 + $1.renditionCount }, observer: observer,
      signposts: options.signposts)
    var sessions: [CacheSession] = []
    var sessionOfCache: [String: Int] = [:]
    // In one order for everybody: two runs that wait for each other's locks would wait for ever.
    for cache in Set(plans.map(\.settings.cache)).sorted() {
      sessionOfCache[cache] = sessions.count
      sessions.append(
        try options.signposts.withInterval(.openCache, [.file: .text(cache)]) {
          () throws(StoreFailure) in
          try CacheSession(
            cache: cache, waitsForLock: options.waitsForLock, signposts: options.signposts)
        })
    }
    self.sessions = sessions
    sessionOfPlan = plans.map { sessionOfCache[$0.settings.cache] ?? 0 }
    var loaders: [[String]: HTTPLoader] = [:]
    for allowed in plans.map(\.settings.allowPrivate) where loaders[allowed] == nil {
      var configuration = options.http
      configuration.allowPrivate += allowed
      configuration.signposts = options.signposts
      loaders[allowed] = HTTPLoader(configuration: configuration)
    }
    self.loaders = loaders
    renderer = SourceRenderer(
      pool: RenderPool(
        executable: options.renderer, workers: options.workers, signposts: options.signposts),
      limits: options.limits, formats: options.formats, isStrict: options.isStrict)
    budget = ByteBudget(bytes: options.maxBytesInFlight)
    options.signposts.sample(.bytesInFlight) { [budget] in budget.held }
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

  private func process(_ work: SourceWork) async throws(StoreFailure) {
    if Task.isCancelled { return }
    let tasks = try neededTasks(of: work)
    guard !tasks.isEmpty else { return }
    let reserved = reservation(for: work)
    let waiting = signposts.beginInterval(.waitForBytes, [.bytes: .integer(reserved)])
    await budget.take(reserved)
    signposts.endInterval(waiting)
    let fetch = signposts.beginInterval(.fetchSource, work.signpostMetadata)
    let body: SourceBody
    do throws(RunFailure) {
      body = try await load(work, tasks: tasks)
    } catch {
      signposts.endInterval(fetch, [.succeeded: .flag(false), .code: .text(error.code)])
      budget.give(reserved)
      if !Task.isCancelled { tally.settle(tasks.map { $0.outcome(.failed(error)) }) }
      return
    }
    signposts.endInterval(fetch, [.bytes: .integer(body.bytes.count)])
    tally.fetched(bytes: body.bytes.count)
    budget.correct(from: reserved, to: body.bytes.count)
    defer { budget.give(body.bytes.count) }
    try await render(tasks, of: body, work: work)
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

  private func load(_ work: SourceWork, tasks: [RenditionTask]) async throws(RunFailure) -> SourceBody {
    guard let http = loaders[work.allowPrivate] else {
      throw RunFailure(step: .fetch, code: "fetch.network", message: "no loader for this job")
    }
    let priority = tasks.map(\.options.priority).max() ?? .normal
    return try await SourceLoader(http: http, maxBytes: options.http.maxBodyBytes).load(
      url: work.url, scheme: work.scheme, headers: work.headers, priority: priority)
  }
}
