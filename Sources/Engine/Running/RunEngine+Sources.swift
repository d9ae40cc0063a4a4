import CacheStore
import ClientKit
import Fetching
import Pictures
import Planning
import Rendering
import Signposts
import Text

/// Performs what ``SourceMachine`` decides.
extension RunEngine {
  /// A source after the looks that need no waiting: the ledger, the HTTP cache's index, the file itself.
  struct StartedSource: Sendable {
    let work: SourceWork
    fileprivate var machine: SourceMachine
    /// What is left of the machine's last step: its question has to be waited for.
    fileprivate var step: ArraySlice<SourceMachine.Action>
  }

  /// Looks a source up. In most runs that is all: a task for each of a hundred thousand sources would cost more than
  /// what it does.
  ///
  /// - Returns: what has to be waited for; nil where the source is done.
  func start(_ work: SourceWork) throws(StoreFailure) -> StartedSource? {
    var machine = SourceMachine(work: work, run: run)
    var step = machine.start()[...]
    while true {
      var answer: SourceMachine.Event?
      while let action = step.first {
        switch try performAtOnce(action, for: work) {
        case .waiting: return StartedSource(work: work, machine: machine, step: step)
        case .done(let event): answer = event
        }
        step.removeFirst()
      }
      guard let answer else { return nil }
      step = machine.take(answer)[...]
    }
  }

  /// Takes a source from there to the caches.
  func process(_ source: StartedSource) async throws(StoreFailure) {
    if Task.isCancelled { return }
    var (machine, step) = (source.machine, source.step)
    // A store failure ends it in the middle.
    defer { if machine.held > 0 { budget.give(machine.held) } }
    while !step.isEmpty {
      var answer: SourceMachine.Event?
      for action in step { answer = try await perform(action, for: source.work) }
      guard let answer else { return }
      step = machine.take(answer)[...]
    }
  }

  private enum Performance {
    /// With the answer to a question, nil for an order.
    case done(SourceMachine.Event?)
    /// Nothing has been done: it may take long.
    case waiting
  }

  private func performAtOnce(
    _ action: SourceMachine.Action, for work: SourceWork
  ) throws(StoreFailure) -> Performance {
    switch action {
    case .lookUpFiles(let tasks):
      var files: [[VersionMark]] = []
      for task in tasks { files.append(try intactFiles(of: task, sourceID: work.sourceID)) }
      return .done(.files(files))
    case .lookUpVersion: return .done(.version(session(of: work).httpCache?.version(for: work.request)))
    case .lookUpLocalFile:
      return .done(.localFile(LocalFile.status(url: work.url, within: roots(of: work))))
    case .settle(let outcomes): tally.settle(outcomes)
    case .renew(let task, let body):
      try sessions[task.session].renew(
        files: task.rendition.stores.map(\.fileName), etag: body.etag, lastModified: body.lastModified)
    case .countFetched(let body) where body.isFromHTTPCache: tally.count { $0.counts.sourcesCached += 1 }
    case .countFetched(let body):
      tally.count {
        $0.counts.sourcesFetched += 1
        $0.counts.bytesFetched += body.bytes.count
      }
    case .countValidated: tally.count { $0.counts.sourcesValidated += 1 }
    case .correct(let from, let to): budget.correct(from: from, to: to)
    case .release(let bytes): budget.give(bytes)
    case .reserve, .fetchHead, .fetch, .render, .store, .settleLast: return .waiting
    }
    return .done(nil)
  }

  /// - Returns: The answer to a question, nil for an order.
  private func perform(
    _ action: SourceMachine.Action, for work: SourceWork
  ) async throws(StoreFailure) -> SourceMachine.Event? {
    switch action {
    case .reserve(let bytes):
      let waiting = signposts.beginInterval(.waitForBytes, [.bytes: .integer(bytes)])
      await budget.take(bytes)
      signposts.endInterval(waiting)
      return .reserved
    case .fetchHead(let request):
      do throws(HTTPFailure) {
        let fetch = loader(for: work).loadPart
        return .head(try await SourceBody.head(request, bytes: RenderRequest.headBytes, fetch: fetch))
      } catch {
        return Task.isCancelled ? .cancelled : .failed(RunFailure(error))
      }
    case .fetch(let fetch): return await perform(fetch, for: work)
    case .render(let rendering): return await perform(rendering, for: work)
    case .store(let storing):
      try await sessions[storing.session].store(storing)
      return .staged
    case .settleLast(let outcomes, let session):
      try await sessions[session].writer.stage([], outcomes: outcomes)
      return nil
    default:
      guard case .done(let event) = try performAtOnce(action, for: work) else { return nil }
      return event
    }
  }

  // MARK: - Looking up

  /// The source versions of a rendition's files, up to the first file that has changed.
  private func intactFiles(
    of task: RenditionTask, sourceID: String
  ) throws(StoreFailure) -> [VersionMark] {
    var versions: [VersionMark] = []
    for (store, identity) in zip(task.rendition.stores, task.run.identities) {
      let version = try sessions[task.session].intactVersion(
        of: ExpectedEntry(
          file: store.fileName, sourceID: sourceID, identity: identity, origin: task.origin(of: store)))
      guard let version else { break }
      versions.append(version)
    }
    return versions
  }

  /// The source's cache folder, whose HTTP cache is used; of several the first one.
  private func session(of work: SourceWork) -> CacheSession {
    sessions[run.jobs[work.first.plan].session]
  }

  /// The folders that a source's jobs may read from, the same for all jobs of a command.
  private func roots(of work: SourceWork) -> TrustedRoots? {
    run.jobs[work.first.plan].plan.settings.given.trust.roots
  }

  private func version(in question: SourceMachine.Question) throws(RunFailure) -> HTTPKnownVersion? {
    if let digest = question.digest { return HTTPKnownVersion(digest: digest) }
    let file = question.file
    do throws(StoreFailure) { return try sessions[file.session].version(ofFile: file.name) } catch {
      throw RunFailure(error)
    }
  }

  /// The picture as it came, if an earlier run stored it under the client's own key for it: `body`, or `damaged` for a
  /// file that had been taken for it.
  private func storedOriginal(of work: SourceWork) throws(RunFailure) -> SourceMachine.Event? {
    let sourceID = work.sourceID
    for part in work.parts {
      let job = run.jobs[part.plan]
      for row in job.plan.rows(ofSource: part.source) {
        for name in job.plan.originalFiles(at: row) {
          do throws(StoreFailure) {
            guard let entry = try sessions[job.session].originalEntry(file: name, sourceID: sourceID) else {
              continue
            }
            guard let body = try sessions[job.session].original(entry) else {
              return .damaged(SourceMachine.CacheFile(session: job.session, name: name))
            }
            return .body(body)
          } catch {
            throw RunFailure(error)
          }
        }
      }
    }
    return nil
  }

  // MARK: - Fetching and rendering

  private func perform(_ fetch: SourceMachine.Fetch, for work: SourceWork) async -> SourceMachine.Event {
    let interval = signposts.beginInterval(.fetchSource, work.signpostMetadata)
    do throws(RunFailure) {
      let event = try await firstAnswer(to: fetch, for: work)
      var metadata: SignpostMetadata = [:]
      if case .body(let body) = event { metadata[.bytes] = .integer(body.bytes.count) }
      signposts.endInterval(interval, metadata)
      return event
    } catch {
      signposts.endInterval(interval, [.succeeded: .flag(false), .code: .text(error.code)])
      return Task.isCancelled ? .cancelled : .failed(error)
    }
  }

  private func firstAnswer(
    to fetch: SourceMachine.Fetch, for work: SourceWork
  ) async throws(RunFailure) -> SourceMachine.Event {
    for way in fetch.ways {
      switch way {
      case .local:
        return .body(
          try SourceLoader.read(
            local: work.url, isFile: work.scheme == .file,
            maxBytes: fetch.request.maxBodyBytes ?? options.limits.maxBytes, within: roots(of: work)))
      case .httpCache:
        let found = session(of: work).httpCache?.cachedResponse(for: fetch.request)
        if let found { return .body(SourceBody(found)) }
      case .storedOriginal:
        if let event = try storedOriginal(of: work) { return event }
      case .currentOriginal:
        guard let event = try storedOriginal(of: work) else { continue }
        guard case .body(let original) = event else { return event }
        if let body = try await loader(for: work).load(fetch.request, having: original) {
          return .body(body)
        }
      case .rest(let head):
        let body = await head.whole(fetch.request, fetch: loader(for: work).loadPart)
        if let body { return .body(body) }
      case .whole(let question):
        let known = try question.flatMap { question throws(RunFailure) in try version(in: question) }
        if case .body(let body) = try await loader(for: work).load(fetch.request, unless: known) {
          return .body(body)
        }
        return .unchanged
      }
    }
    throw fetch.otherwise
      ?? RunFailure(step: .fetch, code: "fetch.network", message: "no source was found")
  }

  private func loader(for work: SourceWork) -> SourceLoader {
    let session = session(of: work)
    return SourceLoader(http: loaders[work.first.plan], cache: session.httpCache, partials: session.partials)
  }

  private func perform(
    _ rendering: SourceMachine.Rendering, for work: SourceWork
  ) async -> SourceMachine.Event {
    let body = rendering.body
    var labels = rendering.labels
    if signposts.isEnabled { labels.source = work.signpostMetadata }
    var renderer = renderer
    renderer.limits = rendering.limits
    do throws(RenderFailure) {
      let results =
        rendering.outputs.isEmpty
        ? RenderedOutputs()
        : try await renderer.render(
          rendering.outputs, of: body.bytes, input: body.isWhole ? .encoded : .head,
          labels: labels)
      guard rendering.checksOriginal else { return .rendered(results, nil) }
      let damage = signposts.withInterval(.checkOriginal, work.signpostMetadata) {
        results.damage(of: body.bytes, formats: options.formats, limits: rendering.limits)
      }
      return .rendered(results, damage)
    } catch {
      return Task.isCancelled ? .cancelled : .notRendered(error)
    }
  }
}

extension RunFailure {
  fileprivate init(_ failure: StoreFailure) {
    self.init(step: .store, code: failure.code.rawValue, message: failure.message)
  }
}

extension SourceWork {
  /// The source's members in a recording.
  fileprivate var signpostMetadata: SignpostMetadata {
    var metadata = scheme.isWeb ? ServerName.metadata(of: url) : [.url: .url(url)]
    metadata[.source] = .integer(number)
    return metadata
  }
}
