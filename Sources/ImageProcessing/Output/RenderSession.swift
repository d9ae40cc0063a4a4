import Rendering

/// One source being made into its results.
struct RenderSession {
  let context: StepContext
  let deadline: Deadline
  let timeline: Timeline
  private var shared: SharedPictures

  init(_ request: RenderRequest, decoder: PictureDecoder, deadline: Deadline) {
    context = StepContext(decoder: decoder, limits: request.limits)
    self.deadline = deadline
    timeline = Timeline(isOn: request.recordsIntervals == true)
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
      try timeline.measure(.checkOriginal) { () throws(RenderFailure) in try context.decoder.prove() }
      return .original
    }
    let picture = try draw(output.steps)
    try deadline.check()
    if output.encoding == .pixels {
      let pixels = try context.decoder.decoding { () throws(VipsFailure) in try picture.image.pixels() }
      return .pixels(pixels.description, bytes: pixels.bytes, note: picture.note)
    }
    let encoder = OutputEncoder(
      encoding: output.encoding, source: context.decoder.format, deadline: deadline)
    let file = try timeline.measure(.encodeImage) { () throws(RenderFailure) in
      try encoder.encode(picture.image)
    }
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

  private mutating func draw(_ steps: [RenderStep]) throws(RenderFailure) -> Picture {
    if let known = shared.longest(of: steps) {
      return try draw(steps, from: known.count, on: known.picture)
    }
    guard let first = steps.first else {
      return try timeline.measure(.decodeImageData) { () throws(RenderFailure) in
        try finished(try start(nil))
      }
    }
    let picture = try begin(first)
    shared.keep(picture, after: [first])
    return try draw(steps, from: 1, on: picture)
  }

  /// The picture after the first step. One that resamples reads the rows as they are decoded, so that the
  /// two cannot be told apart.
  private func begin(_ first: RenderStep) throws(RenderFailure) -> Picture {
    guard !first.resamples else {
      // Before colour management: fewer pixels to convert.
      return try timeline.measure(.decodeImageData, step: 0) { () throws(RenderFailure) in
        try finished(try first.draw(on: try start(first), context))
      }
    }
    let picture = try timeline.measure(.decodeImageData) { () throws(RenderFailure) in
      try finished(try start(first))
    }
    return try timeline.measure(.processImage, step: 0) { () throws(RenderFailure) in
      try finished(try first.draw(on: picture, context))
    }
  }

  private mutating func draw(
    _ steps: [RenderStep], from done: Int, on start: Picture
  ) throws(RenderFailure) -> Picture {
    var picture = start
    for index in steps.indices.dropFirst(done) {
      try deadline.check()
      let before = picture
      picture = try timeline.measure(.processImage, step: index) { () throws(RenderFailure) in
        try finished(try steps[index].draw(on: before, context))
      }
      shared.keep(picture, after: Array(steps[...index]))
    }
    return picture
  }

  /// The picture before the first step.
  private func start(_ first: RenderStep?) throws(RenderFailure) -> Picture {
    var note: String?
    if case .thumbnail(let thumbnail) = first {
      let source = try thumbnail.source(context)
      if let picture = source.picture { return picture }
      note = source.note
    }
    let shrink = try DecodeShrink.factor(for: first, of: context.decoder)
    var picture = try context.decoder.picture(shrink: shrink, streams: reads(first))
    picture.note = note
    return picture
  }

  /// True where the first step reads the rows once and from top to bottom.
  private func reads(_ first: RenderStep?) -> Bool {
    first.map { $0.resamples } ?? true
  }

  /// In memory, in sRGB and settled: all work is done, and all complaints of the decoder have been heard.
  private func finished(_ picture: Picture) throws(RenderFailure) -> Picture {
    picture.with(
      try context.decoder.decoding { () throws(VipsFailure) in try picture.image.plain().settled() })
  }
}
