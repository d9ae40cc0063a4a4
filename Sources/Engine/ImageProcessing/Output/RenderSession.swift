import Glibc
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
  private let outputs: [RenderRequest.Output]
  private var shared: SharedPictures

  init(_ request: RenderRequest, decoder: PictureDecoder) {
    self.decoder = decoder
    limits = request.limits
    deadline = Deadline(seconds: request.limits.seconds)
    timeline = Timeline(isOn: request.recordsIntervals == true)
    shared = SharedPictures(request.outputs.filter { $0.drawsFrames != true })
    outputs = request.outputs
  }

  /// What stands in the answer, and what travels behind it.
  typealias Product = (result: RenderAnswer.OutputResult, bytes: [UInt8])

  /// Makes one result. Its bytes depend on the source and on `output` only.
  ///
  /// - Throws: what ``PictureDecoder/failure(_:)`` explains.
  mutating func make(_ output: RenderRequest.Output) throws -> Product {
    deadline = Deadline(seconds: limits.seconds)
    try deadline.check()
    if output.encoding == .original {
      if decoder.isHead { try decoder.requireWhole() }
      try timeline.measure(.checkOriginal) { try decoder.prove() }
      return (.original, [])
    }
    if output.drawsFrames == true { return try makeFilm(output) }
    decoder.turn(byXMP: output.turnsByXMP == true)
    var picture = try draw(output)
    picture.note = picture.note ?? decoder.orientationNote
    try deadline.check()
    if output.encoding == .pixels {
      let pixels = try picture.image.pixels()
      return (.pixels(pixels.description, note: notes(picture.note)), pixels.bytes)
    }
    let encoder = OutputEncoder(encoding: output.encoding, source: decoder.format, deadline: deadline)
    let file = try timeline.measure(.encodeImage) { try encoder.encode(picture) }
    return file.product(picture.image.width, picture.image.height, notes(picture.note, file.note))
  }

  /// Notes on a result, and on the picture as its decoder found it.
  private func notes(_ notes: String?...) -> String? {
    let notes = (notes + [decoder.note]).compactMap { $0 }
    return notes.isEmpty ? nil : notes.joined(separator: "; ")
  }

  /// Draws every frame by the steps of a still, one after the other.
  private func makeFilm(_ output: RenderRequest.Output) throws -> Product {
    var still = output
    // libvips would write no profile beside frames.
    (still.drawsFrames, still.keepsGamut) = (nil, nil)
    let request = RenderRequest(outputs: [still], limits: limits)
    var film: Film?
    try timeline.measure(.processImage) {
      try decoder.frames { frame, info in
        try deadline.check()
        var session = RenderSession(request, decoder: try PictureDecoder(frame, limits: limits))
        let drawn = try session.draw(still).image
        if film == nil {
          try limits.check(frames: info.count, of: (drawn.width, drawn.height), channels: drawn.bands)
          film = try Film(info, like: drawn)
        }
        try film?.add(drawn)
      }
    }
    guard let film else { throw RenderFailure(.damaged, "the picture holds no frame") }
    let encoder = OutputEncoder(encoding: output.encoding, source: decoder.format, deadline: deadline)
    let file = try timeline.measure(.encodeImage) { try encoder.encode(film) }
    return file.product(film.width, film.height, notes(file.note))
  }

  private mutating func draw(_ output: RenderRequest.Output) throws -> Picture {
    let steps = output.steps
    if let known = shared.longest(of: output) {
      return try draw(output, from: known.count, on: known.picture)
    }
    let start = try start(output)
    guard let first = steps.first else {
      return try timeline.measure(.decodeImageData) { try whole(start, output) }
    }
    let picture = try begin(first, start, output)
    shared.keep(picture, after: 1, of: output)
    return try draw(output, from: 1, on: picture)
  }

  /// The picture after the first step. One that is placed is drawn while the rows are decoded, so that the two cannot be
  /// distinguished.
  private mutating func begin(
    _ first: RenderStep, _ start: Start, _ output: RenderRequest.Output
  ) throws -> Picture {
    let placement = try placement(output)
    if let thumbnail = start.thumbnail {
      return try timeline.measure(.processImage, step: 0) {
        let image = if let placement { try thumbnail.image.drawn(placement) } else { thumbnail.image }
        return try placed(first, Picture(image, note: nil), output, note: thumbnail.note)
      }
    }
    if let placement {
      let timeline = timeline
      return try timeline.measure(.decodeImageData, step: 0) {
        try drawTogether(output, placement, note: start.note)
      }
    }
    let picture = try timeline.measure(.decodeImageData) { try whole(start, output) }
    return try timeline.measure(.processImage, step: 0) { try drawn(first, on: picture, output) }
  }

  private mutating func draw(
    _ output: RenderRequest.Output, from done: Int, on start: Picture
  ) throws -> Picture {
    var picture = start
    for index in output.steps.indices.dropFirst(done) {
      try deadline.check()
      let before = picture
      picture = try timeline.measure(.processImage, step: index) {
        try drawn(output.steps[index], on: before, output)
      }
      shared.keep(picture, after: index + 1, of: output)
    }
    return picture
  }

  /// Where a first step draws the picture; nil where it wants all pixels.
  private func placement(_ output: RenderRequest.Output) throws -> Placement? {
    guard let step = output.steps.first?.value else { return nil }
    let source = (decoder.width, decoder.height)
    guard let placement = try step.placement(of: source)?.drawn(by: output.drawing ?? .device) else {
      return nil
    }
    let size = try step.size(of: source)
    try limits.check(width: size.width, height: size.height, of: "the result")
    return placement
  }

  /// Draws the first step of a result, and on the same way through the rows those of others that are still to be made.
  private mutating func drawTogether(
    _ output: RenderRequest.Output, _ placement: Placement, note: String?
  ) throws -> Picture {
    let others = others(beside: output)
    let pictures = try decoder.draw([placement] + others.map(\.placement))
    for (picture, other) in zip(pictures.dropFirst(), others) {
      guard let step = other.output.steps.first,
        let done = try? placed(step, picture, other.output, note: other.note)
      else { continue }
      shared.keep(done, after: 1, of: other.output, isWanted: true)
    }
    guard let picture = pictures.first, let step = output.steps.first else {
      throw RenderFailure(.worker, "nothing has been drawn")
    }
    return try placed(step, picture, output, note: note)
  }

  /// Other results that the rows of the whole picture lead to. What cannot be made is reported when its turn comes.
  private func others(
    beside output: RenderRequest.Output
  ) -> [(output: RenderRequest.Output, placement: Placement, note: String?)] {
    var room = shared.room
    var seen: Set = [SharedPictures.Prefix(output, 1)]
    return outputs.compactMap { other in
      guard other.encoding != .original, other.drawsFrames != true, other.turnsByXMP == output.turnsByXMP,
        seen.insert(.init(other, 1)).inserted,
        shared.longest(of: other) == nil, let placement = try? placement(other),
        let start = try? start(other), start.thumbnail == nil
      else { return nil }
      let size = product(placement.canvas.width, placement.canvas.height, 4)
      guard size <= room else { return nil }
      room -= size
      return (other, placement, start.note)
    }
  }

  /// What is left to do of a step when the picture is in its place.
  private func placed(
    _ step: RenderStep, _ picture: Picture, _ output: RenderRequest.Output, note: String?
  ) throws -> Picture {
    var picture = try finished(picture, output)
    picture.note = note
    return try finished(try step.draw(on: picture, of: decoder), output)
  }

  /// What a result begins with.
  private typealias Start = (thumbnail: Picture?, note: String?)

  private func start(_ output: RenderRequest.Output) throws -> Start {
    try decoder.embeddedStart(for: output.steps.first, output.embedded, limits)
  }

  private func whole(_ start: Start, _ output: RenderRequest.Output) throws -> Picture {
    var picture = if let thumbnail = start.thumbnail { thumbnail } else { try decoder.picture() }
    picture.note = picture.note ?? start.note
    return try finished(picture, output)
  }

  /// A step on a picture that is upright and in memory.
  private func drawn(
    _ step: RenderStep, on picture: Picture, _ output: RenderRequest.Output
  ) throws -> Picture {
    let placed = try step.place(picture, limits: limits, by: output.drawing)
    return try finished(try step.draw(on: placed, of: decoder), output)
  }

  /// Upright, in memory, in the result's colours and settled: all work is done, and all complaints of the decoder have
  /// been heard.
  private func finished(_ picture: Picture, _ output: RenderRequest.Output) throws -> Picture {
    var picture = try picture.upright()
    var image = picture.image
    if output.isWide, !image.isPlain, let own = image.inOwnSpace() { (image, picture.profile) = own }
    return picture.with(try image.plain().settled())
  }
}

/// When a worker gives a result up by itself, before its watchdog kills it: by the processor time that it takes, so that
/// a busy machine costs no picture.
struct Deadline {
  private let seconds: Double
  private let end: Double

  init(seconds: Double) {
    self.seconds = seconds
    end = Self.used + max(seconds, 0)
  }

  /// Processor time of this process with all its threads.
  private static var used: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  func check() throws(RenderFailure) {
    if Self.used >= end {
      throw RenderFailure(
        .timeout, "the result took more than \(seconds) s of a processor's time")
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
