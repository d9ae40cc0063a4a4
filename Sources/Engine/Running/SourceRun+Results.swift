import CacheStore
import ClientKit
import Fetching
import Pictures
import Planning
import Rendering
import Text

/// From the source's bytes to files in the caches.
extension SourceRun {
  // MARK: - Adapting to what came

  /// What was made from the very same bytes is right.
  mutating func settleUnchanged(_ body: SourceBody) throws {
    for rendition in unproven {
      guard rendition.known.digest == body.digest else {
        needed.append(rendition.task)
        continue
      }
      let task = rendition.task
      try services.stores[task.session].renew(
        files: task.rendition.stores.map(\.fileName), etag: body.etag, lastModified: body.lastModified)
      settle([task.outcome(.current)])
    }
    unproven = []
  }

  mutating func refuseOtherDigests(_ body: SourceBody) {
    func isRefused(_ task: RenditionTask) -> Bool {
      task.options.sha256.map { !$0.hasBytes(of: body.digest) } ?? false
    }
    settle(needed.filter(isRefused).map { $0.outcome(.failed(.digestMismatch)) })
    needed.removeAll(where: isRefused)
  }

  /// What a client stores of an animated source may be nothing, or files that were not looked up yet.
  mutating func adapt(to body: SourceBody) throws {
    guard let kind = needed.isEmpty ? nil : AnimatedKind(body.bytes) else { return }
    var settled: [RenditionOutcome] = []
    var adapted: [RenditionTask] = []
    for task in needed {
      let other = task.run.place.map { run.jobs[$0.plan].plan.adapted(task, at: $0.row, to: kind) } ?? task
      if let reason = reasonNotToStore(other.rendition) {
        settled.append(other.outcome(.notStored(reason: reason), sourceBytes: body.bytes.count))
      } else if !other.fileNames.isSuperset(of: task.fileNames), mayBeCurrent(other),
        try isMade(other, from: body)
      {
        settled.append(other.outcome(.current))
      } else {
        adapted.append(other)
      }
    }
    needed = adapted
    settle(settled)
  }

  private func isMade(_ task: RenditionTask, from body: SourceBody) throws -> Bool {
    try intactVersions(of: task)?.allSatisfy { $0.digest == body.digest } ?? false
  }

  /// An original that cannot be read back is not current: it is made again with the rest.
  mutating func makeAgain(_ file: String, in session: Int) {
    func isOf(_ task: RenditionTask) -> Bool {
      task.session == session && task.rendition.stores.contains { $0.fileName.hasBytes(of: file) }
    }
    needed += assumed.filter(isOf) + unproven.map(\.task).filter(isOf)
    assumed.removeAll(where: isOf)
    unproven.removeAll { isOf($0.task) }
  }

  // MARK: - Rendering

  /// All that is made of the source's bytes in one pass.
  struct Results {
    let body: SourceBody
    let parts: [Part]
    let outputs: RenderedOutputs
    /// Why the bytes may not be stored as they came.
    let damage: RenderFailure?

    /// A rendition with the places of what it needs among the outputs.
    struct Part {
      var task: RenditionTask
      var encoded: Int?
      /// The output that proves by decoding that the original is whole; nil where its structure is proof enough.
      var original: Int?
    }

    func bytes(of content: EntryContent, for part: Part) throws(RenderFailure) -> [UInt8] {
      guard content == .original else { return try outputs.bytes(at: part.encoded ?? -1, source: body.bytes) }
      if let index = part.original { return try outputs.bytes(at: index, source: body.bytes) }
      if let damage { throw damage }
      return body.bytes
    }
  }

  /// Nil where the first bytes of a file do not suffice.
  func render(head: SourceBody) async throws -> Results? {
    guard !head.isWhole, AnimatedKind(head.bytes) ?? .rarer == .rarer else { return nil }
    do {
      let results = try await render(needed, of: head)
      return results.outputs.needRest ? nil : results
    } catch {
      if Task.isCancelled { throw error }
      return nil
    }
  }

  func render(
    _ tasks: [RenditionTask], of body: SourceBody
  ) async throws(RenderFailure) -> Results {
    var outputs: [RenderRequest.Output] = []
    var labels = RenderLabels()
    if services.signposts.isEnabled { labels.source = work.signpostMetadata }
    // An output that several renditions share is made once.
    func index(of output: RenderRequest.Output, _ chain: String) -> Int {
      if let known = outputs.firstIndex(of: output) { return known }
      outputs.append(output)
      labels.chains.append(chain)
      return outputs.count - 1
    }
    let proof = RenderRequest.Output(steps: [], encoding: .original)
    let parts = tasks.map { task in
      Results.Part(
        task: task, encoded: task.output.map { index(of: $0, task.rendition.chain) },
        original: isProvenByDecoding(task, body) ? index(of: proof, task.rendition.chain) : nil)
    }
    let checksOriginal = tasks.contains { $0.storesOriginal && !isProvenByDecoding($0, body) }
    let rendered =
      outputs.isEmpty
      ? RenderedOutputs()
      : try await services.renderer.render(
        outputs, of: body.bytes, input: body.isWhole ? .encoded : .head, labels: labels, limits: limits)
    let damage =
      checksOriginal
      ? services.signposts.withInterval(.checkOriginal, work.signpostMetadata) {
        rendered.damage(of: body.bytes, formats: run.options.formats, limits: limits)
      } : nil
    return Results(body: body, parts: parts, outputs: rendered, damage: damage)
  }

  /// Whether an original has to decode to its end before it is stored.
  private func isProvenByDecoding(_ task: RenditionTask, _ body: SourceBody) -> Bool {
    task.storesOriginal
      && (task.check == .decode || run.options.isStrict || PictureStructure.isLeftToDecoder(body.bytes))
  }

  /// What the renditions failed by; nil for what ends the run.
  func failure(_ error: any Error) -> RunFailure? {
    switch error {
    case let failure as RunFailure: failure
    case let failure as HTTPFailure: RunFailure(failure)
    case let failure as RenderFailure: self.failure(failure)
    default: nil
    }
  }

  /// No server answers where a file is.
  private func failure(_ failure: RenderFailure) -> RunFailure {
    var failure = failure
    if !work.scheme.isWeb, failure.advice == ForeignFormat.look { failure.advice = nil }
    return RunFailure(failure)
  }

  // MARK: - Storing

  /// One cache folder at a time, so that the files of one only are in memory.
  func store(_ results: Results) async throws {
    for session in Set(results.parts.map(\.task.session)).sorted() {
      var files: [ByteText: FinishedFile] = [:]
      var outcomes: [RenditionOutcome] = []
      for part in results.parts where part.task.session == session {
        do throws(RenderFailure) {
          let made = try self.files(of: part, results)
          for file in made where files[ByteText(file.entry.file)] == nil {
            files[ByteText(file.entry.file)] = file
          }
          let odd = part.original == nil ? nil : results.outputs.source?.complaint
          let note = part.encoded.flatMap(results.outputs.note(at:)) ?? odd ?? results.body.note
          let bytes = made.reduce(0) { $0 + $1.bytes.count }
          outcomes.append(
            part.task.outcome(.made(bytes: bytes, note: note), sourceBytes: results.body.bytes.count))
        } catch {
          settle([part.task.outcome(.failed(failure(error)))])
        }
      }
      guard !outcomes.isEmpty else { continue }
      // In the order of their names, so that two runs do the same in the same order.
      let sorted = files.sorted { $0.key < $1.key }.map(\.value)
      try await services.stores[session].store(sorted, outcomes: outcomes)
    }
  }

  private func files(of part: Results.Part, _ results: Results) throws(RenderFailure) -> [FinishedFile] {
    let task = part.task
    return try zip(task.rendition.stores, task.run.identities).map { store, identity throws(RenderFailure) in
      FinishedFile(
        try results.bytes(of: store.content, for: part), store, identity: identity, of: task,
        from: results.body, sourceID, start: run.options.date.start)
    }
  }

  // MARK: - Counting and holding

  func settle(_ outcomes: [RenditionOutcome]) {
    if !outcomes.isEmpty { services.tally.settle(outcomes) }
  }

  func countFetched(_ body: SourceBody) {
    services.tally.count {
      if body.isFromHTTPCache {
        $0.counts.sourcesCached += 1
      } else {
        $0.counts.sourcesFetched += 1
        $0.counts.bytesFetched += body.bytes.count
      }
    }
  }

  /// Waits until this number of bytes of the budget is free, and takes them.
  mutating func hold(_ bytes: Int) async {
    let bytes = min(bytes, run.options.maxBytesInFlight)
    let waiting = services.signposts.beginInterval(.waitForBytes, [.bytes: .integer(bytes)])
    await services.budget.take(bytes)
    services.signposts.endInterval(waiting)
    held = bytes
  }

  mutating func release() {
    if held > 0 { services.budget.give(held) }
    held = 0
  }

  /// What is asked for one source alone fails for it alone.
  func asking<Value>(_ body: @autoclosure () throws -> Value) throws(RunFailure) -> Value {
    do throws(StoreFailure) { return try StoreFailure.storing(body) } catch {
      throw RunFailure(step: .store, code: error.code.rawValue, message: error.message)
    }
  }
}

extension RunFailure {
  static func offline(isLines: Bool) -> RunFailure {
    RunFailure(
      step: .fetch, code: "source.offline",
      message: "neither the cache nor the HTTP cache has it, and "
        + (isLines ? "the job line says offline" : "the run is offline"),
      advice: "run once without \(isLines ? "offline" : "--offline")")
  }

  static let digestMismatch = RunFailure(
    step: .fetch, code: "source.sha256", message: "the body does not match the job line's sha256",
    advice: "check the picture, then put its new digest into the job")

  init(_ failure: RenderFailure) {
    self.init(
      step: .render, code: failure.code.rawValue, message: failure.message,
      advice: failure.advice ?? failure.usualAdvice, isRetryable: failure.code == .processes)
  }
}

extension RenderFailure {
  fileprivate var usualAdvice: String? {
    switch code {
    case .format:
      "use a \(ImageFormat.trusted.names(joinedBy: "or")), or allow "
        + ImageFormat.optional.names(joinedBy: "or") + " with --allow-format"
    case .truncated, .damaged: "upload the picture again; a damaged one never enters a cache"
    case .limit: "make the picture smaller, or raise the limit by its flag or in the job"
    case .timeout: "make the picture smaller, or raise --render-timeout"
    // The message of a worker's failure says what to do.
    case .memory: "make the picture smaller, or raise --max-memory"
    case .worker, .processes, .size, .encode, .crash, .cancelled: nil
    }
  }
}
