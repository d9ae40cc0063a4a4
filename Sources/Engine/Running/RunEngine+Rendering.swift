import CacheStore
import Pictures
import Planning
import Rendering

extension RunEngine {
  /// Makes what is wanted of a source and hands it to the caches that it belongs to.
  ///
  /// - Returns: false where the body is the beginning of a file and does not do; nothing is settled then.
  package func render(
    _ tasks: [RenditionTask], of body: SourceBody, work: SourceWork
  ) async throws(StoreFailure) -> Bool {
    let (wanted, refused) = tasks.partitioned { task in
      task.options.sha256.map { $0 == body.digest } ?? true
    }
    tally.settle(refused.map { $0.outcome(.failed(.digestMismatch)) })
    guard !wanted.isEmpty else { return true }

    var outputs: [RenderRequest.Output] = []
    var labels = RenderLabels(url: work.url)
    func index(of output: RenderRequest.Output, _ chain: String) -> Int {
      if let known = outputs.firstIndex(of: output) { return known }
      outputs.append(output)
      labels.chains.append(chain)
      return outputs.count - 1
    }
    let proof = RenderRequest.Output(steps: [], encoding: .original)
    let indexes = wanted.map { task in
      (
        encoded: task.output.map { index(of: $0, task.rendition.chain) },
        original: isProvenByDecoding(task) ? index(of: proof, task.rendition.chain) : nil
      )
    }
    let results: RenderedOutputs
    do throws(RenderFailure) {
      var renderer = renderer
      renderer.limits = work.limits.applied(to: renderer.limits)
      results =
        outputs.isEmpty
        ? .none
        : try await renderer.render(
          outputs, of: body.bytes, input: body.isWhole ? .encoded : .head, labels: labels)
    } catch {
      guard body.isWhole else { return false }
      if !Task.isCancelled { tally.settle(wanted.map { $0.outcome(.failed(RunFailure(error))) }) }
      return true
    }
    guard body.isWhole || !results.needRest else { return false }
    let isAsked = wanted.contains { $0.storesOriginal && !isProvenByDecoding($0) }
    let made = MadeSource(
      work: work, body: body, results: results,
      proof: isAsked
        ? signposts.withInterval(.checkOriginal, work.signpostMetadata) {
          OriginalProof(
            of: body.bytes, results: results, formats: options.formats,
            limits: work.limits.applied(to: options.limits))
        } : nil)
    for session in sessions.indices {
      let here = wanted.indices.filter { wanted[$0].session == session }
      try await store(here.map { (wanted[$0], indexes[$0]) }, of: made, session: session)
    }
    return true
  }

  /// Whether an original has to decode to its end before it is stored.
  private func isProvenByDecoding(_ task: RenditionTask) -> Bool {
    task.storesOriginal && (task.check == .decode || options.isStrict)
  }

  private func store(
    _ tasks: [(RenditionTask, (encoded: Int?, original: Int?))], of source: MadeSource, session: Int
  ) async throws(StoreFailure) {
    guard !tasks.isEmpty else { return }
    var files: [String: FinishedFile] = [:]
    var outcomes: [RenditionOutcome] = []
    var failed: [RenditionOutcome] = []
    for (task, indexes) in tasks {
      do throws(RenderFailure) {
        var made: [FinishedFile] = []
        for (store, identity) in zip(task.rendition.stores, task.identities) {
          let result =
            store.content == .original
            ? try source.original(at: indexes.original) : try source.encoded(at: indexes.encoded)
          made.append(
            FinishedFile(
              bytes: result, store: store, origin: task.origin(of: store), sourceID: source.work.sourceID,
              identity: identity, body: source.body,
              date: options.date))
        }
        for file in made where files[file.entry.file] == nil { files[file.entry.file] = file }
        let note = indexes.encoded.flatMap(source.results.note(at:)) ?? source.body.note
        outcomes.append(
          task.outcome(
            .made(bytes: made.reduce(0) { $0 + $1.bytes.count }, note: note),
            sourceBytes: source.body.bytes.count))
      } catch {
        failed.append(task.outcome(.failed(RunFailure(error))))
      }
    }
    tally.settle(failed)
    // In the order of their names, so that two runs do the same in the same order.
    let staged = files.values.sorted { $0.entry.file < $1.entry.file }
    tally.written(staged)
    try await sessions[session].writer.stage(staged, outcomes: outcomes)
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
