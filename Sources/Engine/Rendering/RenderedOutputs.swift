import Pictures

/// A worker's answer with its payload cut into results.
package struct RenderedOutputs: Sendable {
  private var answer = RenderAnswer()
  private var payload: [UInt8] = []
  private var ranges: [Range<Int>] = []

  /// - Throws: `.worker` where the answer does not fit the request or its payload.
  init(answer: RenderAnswer, payload: [UInt8], count: Int) throws(RenderFailure) {
    var offset = 0
    for result in answer.outputs {
      let size = result.payloadBytes
      guard size <= payload.count - offset else {
        throw RenderFailure(.worker, "the worker's answer is shorter than it says")
      }
      ranges.append(offset..<(offset + size))
      offset += size
    }
    guard answer.outputs.count == count, offset == payload.count else {
      throw RenderFailure(.worker, "the worker's answer does not fit the request")
    }
    self.answer = answer
    self.payload = payload
  }

  /// Nothing was asked of a worker.
  package init() {}

  /// Results that all failed for one reason.
  init(failing count: Int, _ failure: RenderFailure) {
    answer = RenderAnswer(outputs: Array(repeating: .failed(failure), count: count))
    ranges = Array(repeating: 0..<0, count: count)
  }

  /// Of those results that could not be made.
  var failures: [RenderFailure] { answer.failures }

  /// Why a source may not be stored as it came: what a decoder that drew from it found wrong with the source itself,
  /// whichever result that was for, or else its structure.
  package func damage(
    of bytes: [UInt8], formats: Set<ImageFormat>, limits: RenderLimits
  ) -> RenderFailure? {
    // Nothing is drawn from what is not decoded, and that says nothing against its bytes.
    let isDecoded = ImageFormat.sniff(bytes)?.facts.isDecoded ?? true
    if isDecoded, let found = failures.first(where: { [.format, .truncated, .damaged].contains($0.code) }) {
      return found
    }
    do throws(RenderFailure) {
      try PictureStructure.check(bytes, formats: formats, limits: limits)
      return nil
    } catch {
      return error
    }
  }

  /// Nil where the source came as pixels or could not be read.
  package var source: RenderAnswer.SourceInfo? { answer.source }

  /// Of a file's beginning: some result cannot be made of it, though perhaps of the whole.
  package var needRest: Bool { failures.contains { $0.code != .size } }

  /// The pixels of one result.
  package func pixels(at index: Int) throws(RenderFailure) -> (description: RenderPixels, bytes: [UInt8]) {
    let bytes = try bytes(at: index, source: [])
    guard case .pixels(let description, _) = answer.outputs[index] else {
      throw RenderFailure(.worker, "a result is not what was asked for")
    }
    return (description, bytes)
  }

  /// The bytes of one result; `source` are the source's own.
  package func bytes(at index: Int, source: [UInt8]) throws(RenderFailure) -> [UInt8] {
    guard answer.outputs.indices.contains(index) else {
      throw RenderFailure(.worker, "a result was not asked for")
    }
    switch answer.outputs[index] {
    case .failed(let failure): throw failure
    case .original: return source
    case .encoded, .pixels: return Array(payload[ranges[index]])
    }
  }

  package func note(at index: Int) -> String? {
    guard answer.outputs.indices.contains(index) else { return nil }
    switch answer.outputs[index] {
    case .encoded(_, _, _, _, let note), .pixels(_, let note): return note
    case .original, .failed: return nil
    }
  }
}
