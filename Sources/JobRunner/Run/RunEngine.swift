import CacheCore
import HTTPLoading
import Rendering

/// What a run holds while it goes: sessions, loaders, workers, counts.
final class RunEngine: Sendable {
  let plans: [Plan]
  let tally: RunTally
  private let options: RunOptions
  private let sessions: [CacheSession]
  private let sessionOfPlan: [Int]
  private let loaders: [[String]: HTTPLoader]
  private let renderer: SourceRenderer
  private let budget: ByteBudget
  private let identities: EntryIdentities

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
    let tasks = try neededTasks(of: work)
    guard !tasks.isEmpty else { return }
    let reserved = 1 << 20
    await budget.take(reserved)
    let body: SourceBody
    do throws(RunFailure) {
      body = try await load(work, tasks: tasks)
    } catch {
      budget.give(reserved)
      if !Task.isCancelled { tally.settle(tasks.map { $0.outcome(.failed(error)) }) }
      return
    }
    tally.fetched(bytes: body.bytes.count)
    budget.correct(from: reserved, to: body.bytes.count)
    defer { budget.give(body.bytes.count) }
    try await render(tasks, of: body, work: work)
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

// MARK: - What is needed

extension RunEngine {
  /// Settles what needs no download and returns the rest.
  private func neededTasks(of work: SourceWork) throws(StoreFailure) -> [RenditionTask] {
    let sourceID = SHA256.hexadecimal(of: work.url)
    var needed: [RenditionTask] = []
    for part in work.parts {
      let plan = plans[part.plan]
      for row in plan.rows(ofSource: part.source) {
        let task = plan.task(at: row, session: sessionOfPlan[part.plan])
        if let settled = try settled(task, plan: part.plan, row: row, sourceID: sourceID) {
          tally.settle([task.outcome(settled)])
        } else {
          needed.append(task)
        }
      }
    }
    return needed
  }

  /// How a rendition ends without a download, or nil.
  private func settled(
    _ task: RenditionTask, plan: Int, row: Plan.Row, sourceID: String
  ) throws(StoreFailure) -> RenditionOutcome.Status? {
    let rendition = task.rendition
    if let impossible = plans[plan].impossibility(of: row) { return .failed(impossible) }
    if rendition.stores.isEmpty {
      return .notStored(reason: rendition.note ?? "the policy stores nothing for it")
    }
    if !task.options.reload && !task.options.noDiskRead {
      let session = sessions[task.session]
      var isCurrent = true
      for store in rendition.stores where isCurrent {
        isCurrent = try session.isCurrent(
          file: store.fileName, sourceID: sourceID,
          identity: identities.identity(of: store, row: row, plan: plan, task: task))
      }
      if isCurrent { return .current }
    }
    if task.options.offline {
      return .failed(
        RunFailure(
          step: .fetch, code: "source.offline", message: "it is not in the cache, and the entry says offline",
          advice: "run once without offline"))
    }
    return nil
  }
}

// MARK: - Rendering and storing

extension RunEngine {
  private func render(
    _ tasks: [RenditionTask], of body: SourceBody, work: SourceWork
  ) async throws(StoreFailure) {
    let digest = tasks.contains { $0.options.sha256 != nil } ? hexadecimal(SHA256.hash(body.bytes)) : nil
    let (wanted, refused) = tasks.partitioned { $0.options.sha256 == nil || $0.options.sha256 == digest }
    tally.settle(refused.map { $0.outcome(.failed(.digestMismatch)) })
    guard !wanted.isEmpty else { return }

    var outputs: [RenderRequest.Output] = []
    func index(of output: RenderRequest.Output) -> Int {
      if let known = outputs.firstIndex(of: output) { return known }
      outputs.append(output)
      return outputs.count - 1
    }
    let proof = RenderRequest.Output(steps: [], encoding: .original)
    let indexes = wanted.map { task in
      (encoded: task.output.map(index(of:)), original: task.storesOriginal ? index(of: proof) : nil)
    }
    let results: RenderedOutputs
    do throws(RenderFailure) {
      results = try await renderer.render(outputs, of: body.bytes)
    } catch {
      if !Task.isCancelled { tally.settle(wanted.map { $0.outcome(.failed(RunFailure(error))) }) }
      return
    }
    for session in sessions.indices {
      let here = wanted.indices.filter { wanted[$0].session == session }
      try await store(
        here.map { (wanted[$0], indexes[$0]) }, results: results, body: body, work: work, session: session)
    }
  }

  private func store(
    _ tasks: [(RenditionTask, (encoded: Int?, original: Int?))], results: RenderedOutputs, body: SourceBody,
    work: SourceWork, session: Int
  ) async throws(StoreFailure) {
    guard !tasks.isEmpty else { return }
    let sourceID = SHA256.hexadecimal(of: work.url)
    var files: [String: FinishedFile] = [:]
    var outcomes: [RenditionOutcome] = []
    var failed: [RenditionOutcome] = []
    for (task, indexes) in tasks {
      do throws(RenderFailure) {
        var made: [FinishedFile] = []
        for store in task.rendition.stores {
          let result = try results.bytes(
            at: (store.content == .original ? indexes.original : indexes.encoded) ?? -1, source: body.bytes)
          let identity = RenditionTask.identity(
            content: store.content, output: task.output, sha256: task.options.sha256)
          made.append(
            FinishedFile(
              bytes: result, store: store, sourceID: sourceID, identity: identity, body: body))
        }
        for file in made where files[file.entry.file] == nil { files[file.entry.file] = file }
        let note = indexes.encoded.flatMap(results.note(at:)) ?? body.note
        outcomes.append(task.outcome(.made(bytes: made.reduce(0) { $0 + $1.bytes.count }, note: note)))
      } catch {
        failed.append(task.outcome(.failed(RunFailure(error))))
      }
    }
    tally.settle(failed)
    // In the order of their names, so that two runs do the same in the same order.
    let staged = files.values.sorted { $0.entry.file < $1.entry.file }
    tally.written(staged)
    tally.settle(try await sessions[session].writer.stage(staged, outcomes: outcomes))
  }
}

extension RunFailure {
  fileprivate static let digestMismatch = RunFailure(
    step: .fetch, code: "source.sha256", message: "the body does not match the entry's sha256",
    advice: "check the picture, then put its new digest into the job")
}

extension Array {
  /// Those for which `isFirst` holds, and the others, both in order.
  fileprivate func partitioned(by isFirst: (Element) -> Bool) -> (first: [Element], second: [Element]) {
    (filter(isFirst), filter { !isFirst($0) })
  }
}
