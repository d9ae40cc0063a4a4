import Pictures

/// Has the results of a source made in a worker process and cuts them apart. What a run and a pipeline do
/// alike is done here.
package struct SourceRenderer: Sendable {
  package var pool: RenderPool
  package var limits: RenderLimits
  var formats: Set<ImageFormat>
  var isStrict = false

  package init(pool: RenderPool, limits: RenderLimits, formats: Set<ImageFormat>, isStrict: Bool = false) {
    self.pool = pool
    self.limits = limits
    self.formats = formats
    self.isStrict = isStrict
  }

  /// - Parameters:
  ///   - input: what the bytes are, a file's or pixels of earlier steps.
  ///   - limits: of the source, in place of the renderer's own.
  /// - Throws: where there is no result at all; what fails for one output is said when it is asked for.
  package func render(
    _ outputs: [RenderRequest.Output], of bytes: [UInt8], input: RenderRequest.Input = .encoded,
    labels: RenderLabels = RenderLabels(), limits: RenderLimits? = nil
  ) async throws(RenderFailure) -> RenderedOutputs {
    var limits = limits ?? self.limits
    // Pixels were decoded within the limits already, and are larger than any file of them.
    if case .pixels(let pixels) = input { limits.maxBytes = max(limits.maxBytes, pixels.byteCount) }
    let request = RenderRequest(
      input: input, outputs: outputs, limits: limits, formats: formats, isStrict: isStrict)
    do throws(RenderFailure) {
      let (answer, payload) = try await pool.render(request, bytes: bytes, labels: labels)
      return try RenderedOutputs(answer: answer, payload: payload, count: outputs.count)
    } catch {
      guard error.code == .timeout else { throw error }
      return RenderedOutputs(failing: outputs.count, error)
    }
  }

  /// Whether each of these pictures can be decoded to its end.
  ///
  /// - Returns: false also where that is not known; ``render(_:of:input:labels:)`` with one output `original` says why.
  package func prove(_ pictures: [[UInt8]]) async -> [Bool] {
    guard pictures.allSatisfy({ $0.count <= limits.maxBytes }) else { return pictures.map { _ in false } }
    let request = RenderRequest(
      outputs: [RenderRequest.Output(steps: [], encoding: .original)], limits: limits, formats: formats,
      isStrict: isStrict)
    return await pool.prove(pictures, by: request)
  }
}
