import Rendering

/// One source being made into its results.
struct RenderSession {
  let context: StepContext
  let deadline: Deadline
  private var shared: SharedPictures

  init(_ request: RenderRequest, decoder: PictureDecoder, deadline: Deadline) {
    context = StepContext(decoder: decoder, limits: request.limits)
    self.deadline = deadline
    shared = SharedPictures(request.outputs)
  }

  enum Product {
    case original
    case encoded(format: ImageFormat, bytes: [UInt8], width: Int, height: Int, note: String?)
    case pixels(RenderPixels, bytes: [UInt8], note: String?)
  }

  /// Makes one result. Its bytes depend on the source and on `output` only.
  mutating func make(_ output: RenderRequest.Output) throws(RenderFailure) -> Product {
    try deadline.check()
    if keepsBytes(output.encoding) {
      if context.decoder.isHead { try context.decoder.requireWhole() }
      try context.decoder.prove()
      return .original
    }
    let picture = try draw(output)
    try deadline.check()
    if output.encoding == .pixels {
      let pixels = try context.decoder.decoding { () throws(VipsFailure) in try picture.image.pixels() }
      return .pixels(pixels.description, bytes: pixels.bytes, note: picture.note)
    }
    let encoder = OutputEncoder(
      encoding: output.encoding, source: context.decoder.format, deadline: deadline)
    let file = try encoder.encode(picture.image)
    let notes = [picture.note, file.note].compactMap { $0 }
    return .encoded(
      format: file.format, bytes: file.bytes, width: picture.image.width, height: picture.image.height,
      note: notes.isEmpty ? nil : notes.joined(separator: "; "))
  }

  /// How many pixels the decoder leaves out for a result; results with the same number share a decode.
  func shrink(_ output: RenderRequest.Output) throws(RenderFailure) -> Int {
    try DecodeShrink.factor(for: output.steps.first, of: context.decoder)
  }

  private func keepsBytes(_ encoding: RenderRequest.Encoding) -> Bool {
    switch encoding {
    case .original: true
    case .automatic(_, let keepsGIF): keepsGIF && context.decoder.format == .gif
    case .recipe(let recipe): recipe.keepsGIF && context.decoder.format == .gif
    case .jpeg, .png, .likeSource, .pixels: false
    }
  }

  private mutating func draw(_ output: RenderRequest.Output) throws(RenderFailure) -> Picture {
    let steps = output.steps
    if let known = shared.longest(of: output) {
      return try draw(output, from: known.count, on: known.picture)
    }
    let start = try start(steps.first, output.embedded)
    guard let first = steps.first else { return try finished(start) }
    // Resampling before colour management: fewer pixels to convert.
    var picture = first.resamples ? first.drawsTurned ? start : try upright(start) : try finished(start)
    picture = try finished(try first.draw(on: picture, context))
    shared.keep(picture, after: 1, of: output)
    return try draw(output, from: 1, on: picture)
  }

  private mutating func draw(
    _ output: RenderRequest.Output, from done: Int, on start: Picture
  ) throws(RenderFailure) -> Picture {
    var picture = start
    for index in output.steps.indices.dropFirst(done) {
      try deadline.check()
      picture = try finished(try output.steps[index].draw(on: picture, context))
      shared.keep(picture, after: index + 1, of: output)
    }
    return picture
  }

  /// The picture before the first step.
  private func start(_ first: RenderStep?, _ embedded: EmbeddedUse) throws(RenderFailure) -> Picture {
    let (thumbnail, note) = try EmbeddedStart(context: context).picture(for: first, embedded)
    if let thumbnail { return thumbnail }
    let shrink = try DecodeShrink.factor(for: first, of: context.decoder)
    var picture = try context.decoder.picture(shrink: shrink, streams: reads(first))
    picture.note = note
    return picture
  }

  /// True where the first step reads the rows once and from top to bottom.
  private func reads(_ first: RenderStep?) -> Bool {
    first.map { $0.resamples } ?? true
  }

  private func upright(_ picture: Picture) throws(RenderFailure) -> Picture {
    try context.decoder.decoding { () throws(VipsFailure) in try picture.upright() }
  }

  /// Upright, in memory, in sRGB and settled: all work is done, and all complaints of the decoder have been heard.
  private func finished(_ picture: Picture) throws(RenderFailure) -> Picture {
    let picture = try upright(picture)
    return picture.with(
      try context.decoder.decoding { () throws(VipsFailure) in try picture.image.plain().settled() })
  }
}
