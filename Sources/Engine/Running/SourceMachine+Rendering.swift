import CacheStore
import Fetching
import Pictures
import Planning
import Rendering
import Text

/// Rendering the source's bytes, and storing the results.
extension SourceMachine {
  func rendering(_ tasks: [RenditionTask], of body: SourceBody) -> Rendering {
    var outputs: [RenderRequest.Output] = []
    var labels = RenderLabels()
    // An output that several renditions share is made once.
    func index(of output: RenderRequest.Output, _ chain: String) -> Int {
      if let known = outputs.firstIndex(of: output) { return known }
      outputs.append(output)
      labels.chains.append(chain)
      return outputs.count - 1
    }
    let proof = RenderRequest.Output(steps: [], encoding: .original)
    let parts = tasks.map { task in
      Rendering.Part(
        task: task, encoded: task.output.map { index(of: $0, task.rendition.chain) },
        original: isProvenByDecoding(task, body) ? index(of: proof, task.rendition.chain) : nil)
    }
    return Rendering(
      body: body, parts: parts, outputs: outputs, labels: labels,
      limits: limits,
      checksOriginal: tasks.contains { $0.storesOriginal && !isProvenByDecoding($0, body) })
  }

  /// Whether an original has to decode to its end before it is stored.
  private func isProvenByDecoding(_ task: RenditionTask, _ body: SourceBody) -> Bool {
    task.storesOriginal
      && (task.check == .decode || run.options.isStrict || PictureStructure.isLeftToDecoder(body.bytes))
  }

  mutating func store(_ results: Results) -> [Action] {
    store(results, Set(results.rendering.parts.map(\.task.session)).sorted()[...])
  }

  /// One cache folder at a time, so that the files of one only are in memory.
  mutating func store(_ results: Results, _ sessions: ArraySlice<Int>) -> [Action] {
    guard let session = sessions.first else { return finish() }
    let (storing, failed) = storing(results, session)
    let settled: [Action] = failed.isEmpty ? [] : [.settle(failed)]
    guard !storing.outcomes.isEmpty else { return settled + store(results, sessions.dropFirst()) }
    stage = .storing(results, sessions: sessions.dropFirst())
    return settled + [.store(storing)]
  }

  private func storing(
    _ results: Results, _ session: Int
  ) -> (storing: Storing, failed: [RenditionOutcome]) {
    let body = results.rendering.body
    var files: [ByteText: FinishedFile] = [:]
    var storing = Storing(session: session, files: [], outcomes: [])
    var failed: [RenditionOutcome] = []
    for part in results.rendering.parts where part.task.session == session {
      do throws(RenderFailure) {
        let made = try self.files(of: part, results)
        for file in made where files[ByteText(file.entry.file)] == nil {
          files[ByteText(file.entry.file)] = file
        }
        let odd = part.original == nil ? nil : results.outputs.source?.complaint
        let note = part.encoded.flatMap(results.outputs.note(at:)) ?? odd ?? body.note
        let bytes = made.reduce(0) { $0 + $1.bytes.count }
        storing.outcomes.append(
          part.task.outcome(.made(bytes: bytes, note: note), sourceBytes: body.bytes.count))
      } catch {
        failed.append(part.task.outcome(.failed(failure(error))))
      }
    }
    // In the order of their names, so that two runs do the same in the same order.
    storing.files = files.sorted { $0.key < $1.key }.map(\.value)
    return (storing, failed)
  }

  private func files(
    of part: Rendering.Part, _ results: Results
  ) throws(RenderFailure) -> [FinishedFile] {
    let task = part.task
    return try zip(task.rendition.stores, task.run.identities).map { store, identity throws(RenderFailure) in
      let bytes =
        store.content == .original
        ? try results.original(at: part.original) : try results.encoded(at: part.encoded)
      return FinishedFile(
        bytes, store, identity: identity, of: task, from: results.rendering.body, work.sourceID,
        start: run.options.date.start)
    }
  }

  struct Results: Sendable {
    let rendering: Rendering
    let outputs: RenderedOutputs
    /// Why the bytes may not be stored as they came, where that was asked.
    let damage: RenderFailure?

    /// The bytes as they came.
    ///
    /// - Parameter index: of the output that proves by decoding that they are whole; nil where their structure is
    ///   proof enough.
    func original(at index: Int?) throws(RenderFailure) -> [UInt8] {
      if let index { return try outputs.bytes(at: index, source: rendering.body.bytes) }
      if let damage { throw damage }
      return rendering.body.bytes
    }

    func encoded(at index: Int?) throws(RenderFailure) -> [UInt8] {
      try outputs.bytes(at: index ?? -1, source: rendering.body.bytes)
    }
  }
}

extension RunFailure {
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
