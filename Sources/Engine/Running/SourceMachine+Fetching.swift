import CacheStore
import ClientKit
import Fetching
import Pictures
import Planning
import Rendering
import Text

/// The way to the source's bytes, or to the answer that they are unchanged.
extension SourceMachine {
  var request: HTTPRequest {
    var request = work.request
    let priority = tasks.map(\.options.priority).max() ?? .normal
    request.priority = HTTPRequest.Priority(rawValue: priority.rawValue) ?? .normal
    if tasks.contains(where: reloads) { request.cachePolicy = .reloadIgnoringCache }
    request.maxBodyBytes = limits.maxBytes
    // The cache folder has the same bytes then.
    request.isBodyKeptElsewhere = storesOriginal
    return request
  }

  /// Bytes to hold free before the source is loaded. A download asks for more itself, once it needs it.
  mutating func reserve() -> [Action] {
    if work.scheme == .file, localFile == nil {
      stage = .measuring
      return [.lookUpLocalFile]
    }
    let bytes: Int =
      switch work.scheme {
      case .http, .https: run.options.http.bodyAllowance
      case .file: room(for: localFile??.size ?? 0)
      case .data: work.url.utf8.count
      }
    held = min(max(bytes, run.options.http.bodyAllowance), run.options.maxBytesInFlight)
    stage = .reserving
    return [.reserve(bytes: held)]
  }

  mutating func fetch() -> [Action] {
    stage = .fetching
    var fetch = Fetch(request: request, ways: [])
    if !isWeb {
      fetch.ways = [.local]
    } else if tasks.allSatisfy(isOffline) {
      fetch.ways = [.httpCache, .storedOriginal]
      fetch.otherwise = .offline(isLines: !run.options.isOffline)
    } else {
      let mayBeStored = storesOriginal && !needed.isEmpty && !tasks.contains(where: reloads)
      fetch.ways = head.map { [.rest(of: $0)] } ?? (mayBeStored ? [.currentOriginal] : [])
      fetch.ways.append(.whole(unless: question))
    }
    head = nil
    return [.fetch(fetch)]
  }

  /// Whether a file of the cache folder has the source's bytes, or will have them.
  private var storesOriginal: Bool {
    candidates.contains {
      $0.task.storesOriginal && $0.impossibility == nil && reasonNotToStore($0.task.rendition) == nil
    }
  }

  /// The one version that everything is about, if the bytes are needed only in case the source is another one now.
  private var question: Question? {
    guard needed.isEmpty, let first = unproven.first, let store = first.task.rendition.stores.last,
      unproven.allSatisfy({ $0.known.hasBytes(of: first.known) })
    else { return nil }
    let file = CacheFile(session: first.task.session, name: store.fileName)
    let digest = version??.digest
    return Question(file: file, digest: digest.flatMap { first.known.isOf(digest: $0) ? $0 : nil })
  }

  mutating func takeHead(_ head: SourceBody?) -> [Action] {
    guard let head, !head.isWhole, AnimatedKind(head.bytes) ?? .rarer == .rarer else {
      return goOn(after: head)
    }
    let rendering = rendering(needed, of: head)
    stage = .renderingHead(rendering)
    return [.render(rendering)]
  }

  /// The first bytes do not suffice, or are all there is.
  mutating func goOn(after head: SourceBody?) -> [Action] {
    self.head = head
    let released = release()
    return released + reserve()
  }

  /// An original that cannot be read back is not a current entry: it is made again with the rest.
  mutating func fetch(without original: CacheFile) -> [Action] {
    func isOf(_ task: RenditionTask) -> Bool {
      task.session == original.session
        && task.rendition.stores.contains { $0.fileName.hasBytes(of: original.name) }
    }
    needed += assumed.filter(isOf) + unproven.map(\.task).filter(isOf)
    assumed.removeAll(where: isOf)
    unproven.removeAll { isOf($0.task) }
    return fetch()
  }

  /// What a body takes of the budget. Files come as fast as they are asked for: without a least room for each of them
  /// hundreds would wait in memory.
  private func room(for bytes: Int) -> Int {
    work.scheme == .file ? max(bytes, run.options.maxBytesInFlight / 64) : bytes
  }

  mutating func takeBody(_ body: SourceBody) -> [Action] {
    let room = room(for: body.bytes.count)
    var actions: [Action] = [.countFetched(body), .correct(from: held, to: room)]
    held = room
    for rendition in unproven {
      guard rendition.known.isOf(digest: body.digest) else {
        needed.append(rendition.task)
        continue
      }
      // Made from the very same bytes.
      actions += [.renew(rendition.task, body), .settle([rendition.task.outcome(.current)])]
    }
    unproven = []
    let refused = needed.filter { $0.options.sha256.map { $0 != body.digest } ?? false }
    needed.removeAll { $0.options.sha256.map { $0 != body.digest } ?? false }
    if !refused.isEmpty { actions.append(.settle(refused.map { $0.outcome(.failed(.digestMismatch)) })) }
    guard let kind = needed.isEmpty ? nil : AnimatedKind(body.bytes) else { return actions + render(body) }
    return actions + adapt(to: kind, of: body)
  }

  mutating func render(_ body: SourceBody) -> [Action] {
    guard !needed.isEmpty else { return finish() }
    let rendering = rendering(needed, of: body)
    stage = .rendering(rendering)
    return [.render(rendering)]
  }

  /// What a client stores of an animated source may be nothing, or files that were not looked up yet.
  private mutating func adapt(to kind: AnimatedKind, of body: SourceBody) -> [Action] {
    var asked: [RenditionTask] = []
    var dropped: [RenditionOutcome] = []
    var adapted: [RenditionTask] = []
    for task in needed {
      let other = task.run.place.map { run.jobs[$0.plan].plan.adapted(task, at: $0.row, to: kind) } ?? task
      guard let reason = reasonNotToStore(other.rendition) else {
        adapted.append(other)
        let isPlanned = other.fileNames.isSuperset(of: task.fileNames)
        if !isPlanned, mayBeCurrent(other) { asked.append(other) }
        continue
      }
      dropped.append(other.outcome(.notStored(reason: reason), sourceBytes: body.bytes.count))
    }
    needed = adapted
    let settled: [Action] = dropped.isEmpty ? [] : [.settle(dropped)]
    guard !asked.isEmpty else { return settled + render(body) }
    stage = .lookingUpAdapted(asked, of: body)
    return settled + [.lookUpFiles(asked)]
  }

  /// Those of the asked renditions whose files were made from this very body are right.
  mutating func settleCurrent(
    _ asked: [RenditionTask], _ files: [[VersionMark]], _ body: SourceBody
  ) -> [Action] {
    let current = zip(asked, files).filter { task, versions in
      versions.count == task.rendition.stores.count && versions.allSatisfy { $0.isOf(digest: body.digest) }
    }.map(\.0)
    let keys = Set(current.map { [ByteText($0.rendition.key), ByteText("\($0.session)")] })
    needed.removeAll { keys.contains([ByteText($0.rendition.key), ByteText("\($0.session)")]) }
    return current.isEmpty ? [] : [.settle(current.map { $0.outcome(.current) })]
  }
}

extension RunFailure {
  fileprivate static func offline(isLines: Bool) -> RunFailure {
    RunFailure(
      step: .fetch, code: "source.offline",
      message: "neither the cache nor the HTTP cache has it, and "
        + (isLines ? "the job line says offline" : "the run is offline"),
      advice: "run once without \(isLines ? "offline" : "--offline")")
  }

  static let unexpectedEvent = RunFailure(
    step: .fetch, code: "source.internal", message: "the run lost track of this source",
    advice: "run it again; if it happens again, report it as a mistake in Preheat")

  fileprivate static let digestMismatch = RunFailure(
    step: .fetch, code: "source.sha256", message: "the body does not match the job line's sha256",
    advice: "check the picture, then put its new digest into the job")
}

extension RenditionTask {
  fileprivate var fileNames: Set<ByteText> { Set(rendition.stores.map { ByteText($0.fileName) }) }
}
