import Pictures
import Rendering

/// Makes all results of one picture.
enum ImageRenderer {
  /// Never fails as a whole: what went wrong stands in the results.
  ///
  /// - Parameters:
  ///   - bytes: the source as it came from the network; given up once a decoder has them.
  ///   - made: called after each result but the last with their number.
  /// - Returns: the answer, and the encoded bytes of its `.encoded` results in their order.
  static func render(
    _ request: RenderRequest, _ bytes: consuming [UInt8], made: (Int) -> Void = { _ in }
  ) -> (answer: RenderAnswer, payloads: [[UInt8]]) {
    let decoder: PictureDecoder
    do {
      decoder = try open(request, bytes)
    } catch {
      let failure = PictureDecoder.failure(error, nil)
      return (RenderAnswer(source: nil, outputs: request.outputs.map { _ in .failed(failure) }), [])
    }
    return render(request, RenderSession(request, decoder: decoder), made: made)
  }

  /// Our own parser looks first: what it does not pass never reaches libvips.
  private static func open(_ request: RenderRequest, _ bytes: [UInt8]) throws -> PictureDecoder {
    guard request.wireVersion == RenderRequest.wireVersion else {
      throw RenderFailure(
        .worker, "preheat-render has version \(RenderRequest.wireVersion), not \(request.wireVersion)")
    }
    if case .pixels(let pixels) = request.input {
      openPlugins(request)
      return try PictureDecoder(pixels, bytes, limits: request.limits)
    }
    let header = try ImageHeader.read(bytes)
    guard header.format.facts.isDecoded else {
      throw RenderFailure(.format, "this is an \(header.format.name) drawing, which is not decoded")
    }
    guard request.formats.contains(header.format) else {
      let name = header.format.name
      throw RenderFailure(.format, "\(name) pictures are decoded only if that format is allowed by name")
    }
    try request.limits.check(header, byteCount: bytes.count)
    guard header.isComplete || !header.format.facts.mustBeWhole else {
      throw RenderFailure(
        .truncated, "the \(header.format.name) data is shorter than it says; fetch it again")
    }
    openPlugins(request, header.format)
    return try PictureDecoder(
      bytes, header: header, limits: request.limits, isStrict: request.isStrict,
      isHead: request.input == .head)
  }

  /// Of the picture and of the results.
  private static func openPlugins(_ request: RenderRequest, _ source: ImageFormat? = nil) {
    let written = request.outputs.compactMap { output in
      if case .recipe(let recipe) = output.encoding { recipe.format.written } else { nil }
    }
    VipsLibrary.openPlugins(for: written + [source].compactMap { $0 })
  }

  private static func render(
    _ request: RenderRequest, _ session: RenderSession, made: (Int) -> Void
  ) -> (answer: RenderAnswer, payloads: [[UInt8]]) {
    var session = session
    var results = [RenderAnswer.OutputResult?](repeating: nil, count: request.outputs.count)
    var payloads = [[UInt8]](repeating: [], count: request.outputs.count)
    // Those that only need proof come last and often find it done.
    let isDrawn = request.outputs.map { $0.encoding != .original }
    let order = isDrawn.indices.filter { isDrawn[$0] } + isDrawn.indices.filter { !isDrawn[$0] }
    for (count, index) in order.enumerated() {
      if count > 0 { made(count) }
      do {
        session.timeline.output = index
        (results[index], payloads[index]) = try session.make(request.outputs[index])
      } catch {
        results[index] = .failed(session.decoder.failure(error))
      }
    }
    var source = session.decoder.info
    source?.complaint = session.decoder.complaint
    var answer = RenderAnswer(source: source, outputs: results.compactMap { $0 })
    answer.intervals = session.timeline.intervals
    return (answer, payloads.filter { !$0.isEmpty })
  }
}
