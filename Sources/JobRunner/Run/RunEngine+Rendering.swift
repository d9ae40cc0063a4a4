import CacheCore
import Rendering

extension RunEngine {
  /// Makes what is wanted of a source and hands it to the caches that it belongs to.
  func render(
    _ tasks: [RenditionTask], of body: SourceBody, work: SourceWork
  ) async throws(StoreFailure) {
    let digest = tasks.contains { $0.options.sha256 != nil } ? hexadecimal(SHA256.hash(body.bytes)) : nil
    let (wanted, refused) = tasks.partitioned { $0.options.sha256 == nil || $0.options.sha256 == digest }
    tally.settle(refused.map { $0.outcome(.failed(.digestMismatch)) })
    guard !wanted.isEmpty else { return }

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
        original: task.storesOriginal ? index(of: proof, task.rendition.chain) : nil
      )
    }
    let results: RenderedOutputs
    do throws(RenderFailure) {
      results = try await renderer.render(outputs, of: body.bytes, labels: labels)
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
    var files: [String: FinishedFile] = [:]
    var outcomes: [RenditionOutcome] = []
    var failed: [RenditionOutcome] = []
    for (task, indexes) in tasks {
      do throws(RenderFailure) {
        var made: [FinishedFile] = []
        for (store, identity) in zip(task.rendition.stores, task.identities) {
          let result = try results.bytes(
            at: (store.content == .original ? indexes.original : indexes.encoded) ?? -1, source: body.bytes)
          made.append(
            FinishedFile(
              bytes: result, store: store, origin: task.origin(of: store), sourceID: work.sourceID,
              identity: identity,
              body: body,
              date: options.date))
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
