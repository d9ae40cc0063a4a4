import Rendering

/// Has the results of a source made in a worker process and cuts them apart. What a run and a pipeline do
/// alike is done here.
struct SourceRenderer: Sendable {
  var pool: RenderPool
  var limits: RenderLimits
  var formats: Set<ImageFormat>
  var isStrict = false

  /// - Parameter input: what the bytes are, a file's or pixels of earlier steps.
  /// - Throws: where there is no result at all; what fails for one output is said when it is asked for.
  func render(
    _ outputs: [RenderRequest.Output], of bytes: [UInt8], input: RenderRequest.Input = .encoded,
    labels: RenderLabels = RenderLabels()
  ) async throws(RenderFailure) -> RenderedOutputs {
    var limits = limits
    // Pixels were decoded within the limits already, and are larger than any file of them.
    if case .pixels(let pixels) = input { limits.maxBytes = max(limits.maxBytes, pixels.byteCount) }
    let request = RenderRequest(
      input: input, outputs: outputs, limits: limits, formats: formats, isStrict: isStrict)
    let (answer, payload) = try await pool.render(request, bytes: bytes, labels: labels)
    return try RenderedOutputs(answer: answer, payload: payload, count: outputs.count)
  }
}
