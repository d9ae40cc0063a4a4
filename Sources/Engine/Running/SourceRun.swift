import Fetching
import Planning
import Rendering
import Signposts
import Text

/// The way of one source through a run: look up what is there, decide what is needed, fetch it, adapt to what came,
/// render and store. It begins in ``process()``.
struct SourceRun {
  let work: SourceWork
  let sourceID: String
  let run: RunFrame
  let services: SourceServices
  let candidates: [Candidate]

  /// Renditions that are made whatever the source is now.
  var needed: [RenditionTask] = []
  /// Renditions whose files are intact: they are right if the source is still what they were made from.
  var unproven: [(task: RenditionTask, known: HTTPKnownVersion)] = []
  /// Renditions that are right as far as their files' sizes and dates tell, and have an original that may be read.
  var assumed: [RenditionTask] = []
  /// By cache folder: renditions that are not stored and that the entries of others may serve.
  var served: [Int: [RenditionOutcome]] = [:]
  /// Bytes of the shared budget that the source holds.
  var held = 0
  /// What the HTTP cache and the disk say of the source; nil before they were asked.
  var version: HTTPVersion??
  var localFile: LocalFile.Status??

  /// A rendition of the source, before it is known whether anything has to be done for it.
  struct Candidate {
    var task: RenditionTask
    /// Servers are asked whether a source has changed. Without an HTTP cache they are not.
    var revalidates = true
  }

  init(_ work: SourceWork, in run: RunFrame, with services: SourceServices) {
    self.work = work
    sourceID = work.sourceID
    self.run = run
    self.services = services
    candidates = Candidate.all(of: work, in: run)
  }

  /// - Throws: where the cache cannot be written any more: the run ends.
  mutating func process() async throws {
    defer { release() }
    do {
      try classify()
      if !tasks.isEmpty { try await make() }
    } catch {
      guard let failure = failure(error) else { throw error }
      // What is not settled when a run is being stopped is counted as left undone.
      if !Task.isCancelled { settle(tasks.map { $0.outcome(.failed(failure)) }) }
    }
    settle(assumed.map { $0.outcome(.current) })
    release()
    for (session, outcomes) in served.sorted(by: { $0.key < $1.key }) {
      try await services.stores[session].store([], outcomes: outcomes)
    }
  }

  /// Fetches the source, or its first bytes, and makes what is needed.
  private mutating func make() async throws {
    var head: SourceBody?
    // Reading from the HTTP cache costs nothing.
    if mayUseHead, currentVersion() == nil {
      await hold(RenderRequest.headBytes)
      head = try await services.loader(work).head(request)
      if let head, let results = try await render(head: head) {
        countFetched(head)
        return try await store(results)
      }
      release()
    }
    guard let body = try await fetch(restOf: head) else {
      services.tally.count { $0.counts.sourcesValidated += 1 }
      return settle(unproven.map { $0.task.outcome(.current) })
    }
    countFetched(body)
    let room = room(for: body.bytes.count)
    services.budget.correct(from: held, to: room)
    held = room
    try settleUnchanged(body)
    refuseOtherDigests(body)
    try adapt(to: body)
    guard !needed.isEmpty else { return }
    try await store(try await render(needed, of: body))
  }

  // MARK: - Looking up and deciding

  /// Decides for each rendition whether it is settled, made in any case, or right if the source has not changed.
  private mutating func classify() throws {
    var settled: [RenditionOutcome] = []
    var stored: Set<ByteText>?
    for candidate in candidates {
      let task = candidate.task
      if let impossibility = task.rendition.impossibility {
        settled.append(task.outcome(.failed(impossibility)))
      } else if let reason = reasonNotToStore(task.rendition) {
        let outcome = task.outcome(.notStored(reason: reason))
        let keys = stored ?? Set(candidates.flatMap { $0.task.rendition.stores.map { ByteText($0.key) } })
        stored = keys
        // What another rendition of the source stores is there once that one is done.
        let isServed = task.rendition.lookup.map { keys.contains(ByteText($0.key)) } ?? false
        if isServed, outcome.found != .nothing {
          served[task.session, default: []].append(outcome)
        } else {
          settled.append(outcome)
        }
      } else if mayBeCurrent(task), let known = try intactVersion(of: task) {
        if !(isOffline(task) || isStill(known, for: candidate)) {
          unproven.append((task, known))
        } else if task.storesOriginal {
          assumed.append(task)
        } else {
          settled.append(task.outcome(.current))
        }
      } else {
        needed.append(task)
      }
    }
    settle(settled)
  }

  /// The version that all files of a rendition were made from, if they are intact and of one version.
  private func intactVersion(of task: RenditionTask) throws -> HTTPKnownVersion? {
    guard let versions = try intactVersions(of: task),
      versions.allSatisfy({ $0.digest == versions[0].digest })
    else { return nil }
    return versions.last
  }

  /// By file; nil where one has changed.
  func intactVersions(of task: RenditionTask) throws -> [HTTPKnownVersion]? {
    var versions: [HTTPKnownVersion] = []
    for (store, identity) in zip(task.rendition.stores, task.run.identities) {
      let expected = (store.fileName, sourceID, identity, task.origin(of: store))
      guard let version = try services.stores[task.session].intactVersion(of: expected) else { break }
      versions.append(version)
    }
    return versions.count == task.rendition.stores.count ? versions : nil
  }

  /// Whether the source is certainly the version that something was made from.
  private mutating func isStill(_ known: HTTPKnownVersion, for candidate: Candidate) -> Bool {
    switch work.scheme {
    // The URL is the picture.
    case .data: true
    case .file: currentFile().map { known.etag == $0.stamp } ?? false
    case .http, .https:
      // Without an HTTP cache what is once stored is never asked for again.
      !candidate.revalidates || currentVersion().map { $0.isFresh && known.digest == $0.digest } ?? false
    }
  }

  private mutating func currentVersion() -> HTTPVersion? {
    if let version { return version }
    let found = services.loader(work).version(for: work.request)
    version = .some(found)
    return found
  }

  private mutating func currentFile() -> LocalFile.Status? {
    if let localFile { return localFile }
    let found = LocalFile.status(url: work.url, within: roots)
    localFile = .some(found)
    return found
  }

  // MARK: - Fetching

  /// The one version that everything is about, if the bytes are needed only in case the source is another one now.
  private mutating func versionInQuestion() -> HTTPKnownVersion? {
    guard needed.isEmpty, let known = unproven.first?.known,
      unproven.allSatisfy({ $0.known.digest == known.digest })
    else { return nil }
    // Where the HTTP cache has the same version it knows what the server gave with it; else the ledger does.
    return currentVersion()?.digest == known.digest ? HTTPKnownVersion(digest: known.digest) : known
  }

  /// Whether the first bytes of the file may suffice for all that is needed. Only for renditions that are made in any
  /// case: what may still be right is settled by a question about the whole file.
  private var mayUseHead: Bool {
    work.scheme.isWeb && unproven.isEmpty
      && needed.allSatisfy { $0.mayUseHead && !isOffline($0) && !reloads($0) }
  }

  enum Answer {
    case body(SourceBody)
    case unchanged
    /// An original in a cache folder turned out to have other bytes than those that were stored. It is forgotten.
    case damaged(session: Int, file: String)
  }

  /// The source's bytes; nil where it is what the files were made from.
  private mutating func fetch(restOf head: SourceBody?) async throws -> SourceBody? {
    await hold(max(bytesToHold(), run.options.http.bodyAllowance))
    var head = head
    while true {
      let interval = services.signposts.beginInterval(.fetchSource, work.signpostMetadata)
      do {
        let answer = try await answer(restOf: head)
        var metadata: SignpostMetadata = [:]
        if case .body(let body) = answer { metadata[.bytes] = .integer(body.bytes.count) }
        services.signposts.endInterval(interval, metadata)
        switch answer {
        case .body(let body): return body
        case .unchanged: return nil
        case .damaged(let session, let file): makeAgain(file, in: session)
        }
      } catch {
        let failure = Task.isCancelled ? nil : failure(error)
        services.signposts.endInterval(
          interval, [.succeeded: .flag(false), .code: .text(failure?.code ?? "cancelled")])
        throw error
      }
      head = nil
    }
  }

  /// A download asks for more itself, once it needs it.
  private mutating func bytesToHold() -> Int {
    switch work.scheme {
    case .http, .https: run.options.http.bodyAllowance
    case .file: room(for: currentFile()?.size ?? 0)
    case .data: work.url.utf8.count
    }
  }

  /// The first answer of: a local file, the HTTP cache, an original in a cache folder, the server.
  private mutating func answer(restOf head: SourceBody?) async throws -> Answer {
    guard work.scheme.isWeb else {
      return .body(
        try SourceLoader.read(
          local: work.url, isFile: work.scheme == .file, maxBytes: limits.maxBytes, within: roots))
    }
    let (loader, request) = (services.loader(work), request)
    if tasks.allSatisfy(isOffline) {
      if let found = loader.cached(request) { return .body(found) }
      if let stored = try storedOriginal() { return stored }
      throw RunFailure.offline(isLines: !run.options.isOffline)
    }
    if let head {
      if let body = await loader.whole(head, request) { return .body(body) }
    } else if storesOriginal, !needed.isEmpty, !tasks.contains(where: reloads),
      let stored = try storedOriginal()
    {
      guard case .body(let original) = stored else { return stored }
      if let body = try await loader.load(request, having: original) { return .body(body) }
    }
    guard case .body(let body) = try await loader.load(request, unless: versionInQuestion()) else {
      return .unchanged
    }
    return .body(body)
  }
}
