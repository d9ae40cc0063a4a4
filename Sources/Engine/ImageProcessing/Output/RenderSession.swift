import Pictures
import Rendering
import Signposts

/// One source being made into its results.
struct RenderSession {
  let decoder: PictureDecoder
  private let limits: RenderLimits
  /// Of the result that is being made.
  private var deadline: Deadline
  let timeline: Timeline
  private let engine: RenderEngine
  private var shared: SharedPictures

  init(_ request: RenderRequest, decoder: PictureDecoder) {
    self.decoder = decoder
    limits = request.limits
    deadline = Deadline(seconds: request.limits.seconds)
    timeline = Timeline(isOn: request.recordsIntervals == true)
    shared = SharedPictures(request.outputs)
    engine = request.engine ?? .automatic
  }

  enum Product {
    case original
    case encoded(format: ImageFormat, bytes: [UInt8], width: Int, height: Int, note: String?)
    case pixels(RenderPixels, bytes: [UInt8], note: String?)
  }

  /// Makes one result. Its bytes depend on the source and on `output` only.
  mutating func make(_ output: RenderRequest.Output) throws(RenderFailure) -> Product {
    deadline = Deadline(seconds: limits.seconds)
    try deadline.check()
    if keepsBytes(output.encoding) {
      if decoder.isHead { try decoder.requireWhole() }
      try timeline.measure(.checkOriginal) { () throws(RenderFailure) in try decoder.prove() }
      return .original
    }
    let picture = try draw(output)
    try deadline.check()
    if output.encoding == .pixels {
      let pixels = try decoder.decoding { () throws(VipsFailure) in try picture.image.pixels() }
      return .pixels(pixels.description, bytes: pixels.bytes, note: picture.note)
    }
    let encoder = OutputEncoder(
      encoding: output.encoding, source: decoder.format, deadline: deadline,
      engine: engine)
    let file = try timeline.measure(.encodeImage) { () throws(RenderFailure) in
      try encoder.encode(picture.image)
    }
    let notes = [picture.note, file.note].compactMap { $0 }
    return .encoded(
      format: file.format, bytes: file.bytes, width: picture.image.width, height: picture.image.height,
      note: notes.isEmpty ? nil : notes.joined(separator: "; "))
  }

  private func keepsBytes(_ encoding: RenderRequest.Encoding) -> Bool {
    switch encoding {
    case .original: true
    case .automatic(_, let keepsGIF): keepsGIF && decoder.format == .gif
    case .recipe(let recipe): recipe.keepsGIF && decoder.format == .gif
    case .jpeg, .png, .likeSource, .pixels: false
    }
  }

  private mutating func draw(_ output: RenderRequest.Output) throws(RenderFailure) -> Picture {
    let steps = output.steps
    if let known = shared.longest(of: output) {
      return try draw(output, from: known.count, on: known.picture)
    }
    guard let first = steps.first else {
      return try timeline.measure(.decodeImageData) { () throws(RenderFailure) in
        try finished(try start(nil, output.embedded))
      }
    }
    let picture = try begin(first, output.embedded)
    shared.keep(picture, after: 1, of: output)
    return try draw(output, from: 1, on: picture)
  }

  /// The picture after the first step. One that resamples reads the rows as they are decoded, so that the
  /// two cannot be told apart.
  private func begin(_ first: RenderStep, _ embedded: EmbeddedUse) throws(RenderFailure) -> Picture {
    guard first.value.input == .pixels else {
      // Before colour management: fewer pixels to convert.
      return try timeline.measure(.decodeImageData, step: 0) { () throws(RenderFailure) in
        let start = try start(first, embedded)
        return try drawn(first, on: first.value.input == .storedRows ? start : try upright(start))
      }
    }
    let picture = try timeline.measure(.decodeImageData) { () throws(RenderFailure) in
      try finished(try start(first, embedded))
    }
    return try timeline.measure(.processImage, step: 0) { () throws(RenderFailure) in
      try drawn(first, on: picture)
    }
  }

  private mutating func draw(
    _ output: RenderRequest.Output, from done: Int, on start: Picture
  ) throws(RenderFailure) -> Picture {
    var picture = start
    for index in output.steps.indices.dropFirst(done) {
      try deadline.check()
      let before = picture
      picture = try timeline.measure(.processImage, step: index) { () throws(RenderFailure) in
        try drawn(output.steps[index], on: before)
      }
      shared.keep(picture, after: index + 1, of: output)
    }
    return picture
  }

  /// The picture before the first step.
  private func start(_ first: RenderStep?, _ embedded: EmbeddedUse) throws(RenderFailure) -> Picture {
    let (thumbnail, note) = try decoder.embeddedStart(for: first, embedded, limits)
    if let thumbnail { return thumbnail }
    let shrink = try decoder.shrink(for: first)
    var picture = try decoder.picture(shrink: shrink, streams: first?.value.input != .pixels)
    picture.note = note
    return picture
  }

  private func drawn(_ step: RenderStep, on picture: Picture) throws(RenderFailure) -> Picture {
    try finished(try step.draw(on: picture, of: decoder, limits: limits))
  }

  private func upright(_ picture: Picture) throws(RenderFailure) -> Picture {
    try decoder.decoding { () throws(VipsFailure) in try picture.upright() }
  }

  /// Upright, in memory, in sRGB and settled: all work is done, and all complaints of the decoder have been heard.
  private func finished(_ picture: Picture) throws(RenderFailure) -> Picture {
    let picture = try upright(picture)
    return picture.with(
      try decoder.decoding { () throws(VipsFailure) in try picture.image.plain().settled() })
  }
}

/// When a worker gives a result up by itself, before its watchdog kills it: by the processor time that it takes, so that
/// a busy machine costs no picture.
struct Deadline {
  private let seconds: Double
  private let end: Double

  init(seconds: Double) {
    self.seconds = seconds
    end = ProcessorTime.own + max(seconds, 0)
  }

  func check() throws(RenderFailure) {
    if ProcessorTime.own >= end {
      throw RenderFailure(
        .timeout, "the result took more than \(seconds) s of a processor's time (render-timeout)")
    }
  }
}

/// Notes what one picture's work took, where the request asks for it. Used by one thread.
final class Timeline {
  private(set) var intervals: [RenderInterval]?
  /// Which of the request's outputs is being made.
  var output: Int?

  init(isOn: Bool) {
    intervals = isOn ? [] : nil
  }

  /// - Parameter step: Which of the output's steps it is.
  func measure<Value, Failure: Error>(
    _ name: SignpostName, step: Int? = nil, _ work: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    guard intervals != nil else { return try work() }
    let begin = SignpostClock.now
    defer {
      intervals?.append(
        RenderInterval(name: name, begin: begin, end: SignpostClock.now, output: output, step: step))
    }
    return try work()
  }
}
