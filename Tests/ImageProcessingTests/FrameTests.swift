import Foundation
import TestSupport
import Testing

@testable import ImageProcessing
@testable import Pictures
@testable import Rendering

/// All frames of an animation, drawn and written, against the source frame by frame.
@Suite(.timeLimit(.minutes(10)))
struct FrameTests {
  private static let lossless = RenderRequest.Encoding.recipe(
    EncodingRecipe(.webp(.init(quality: 100, isLossless: true))))

  private func draw(
    _ source: [UInt8], _ steps: [RenderStep],
    _ encoding: RenderRequest.Encoding = .likeSource(jpegQuality: 100), limits: RenderLimits = RenderLimits()
  ) throws -> Rendered {
    try render(source, steps, encoding, drawsFrames: true, limits: limits)
  }

  /// The frames of a WebP as libvips reads them, as RGBA.
  private func frames(_ bytes: [UInt8]) throws -> (canvases: [[UInt8]], delays: [Int32], loop: Int32) {
    let film = try VipsSource(bytes).image(.webp, shrink: 1, isStrict: true, allFrames: true)
    let info = film.filmInfo
    let canvases = try (0..<info.count).map {
      let frame = try film.frame($0, of: info)
      return try (frame.hasAlpha ? frame : frame.addingAlpha().inMemory()).samples
    }
    return (canvases, info.delays, info.loop)
  }

  /// Two pictures as they show: the colour of what is transparent does not matter.
  private func difference(_ a: [UInt8], _ b: [UInt8]) -> Int {
    guard a.count == b.count else { return 999 }
    func shown(_ bytes: [UInt8], _ index: Int) -> Int {
      let alpha = Int(bytes[index | 3])
      return index & 3 == 3 ? alpha : Int(bytes[index]) * alpha / 255
    }
    return a.indices.map { abs(shown(a, $0) - shown(b, $0)) }.max() ?? 0
  }

  @Test func framesDelaysAndLoopsAreThoseOfTheSource() throws {
    let source = GIFFilm(GIFFilm.sample)
    // Nothing is larger than the thumbnail, so no pixel changes.
    let result = try draw(GIFFilm.sample, [.thumbnail(64)])
    #expect((result.format, result.width, result.height) == (.gif, 40, 30))
    let film = GIFFilm(result.bytes)
    #expect(film.frames.map(\.delay) == [10, 20, 7, 100] && film.loop == 3)
    #expect(source.frames.count == 4 && film.frames.count == 4)
    for (index, (ours, theirs)) in zip(film.frames, source.frames).enumerated() {
      #expect(difference(ours.canvas, theirs.canvas) <= 2, "frame \(index)")
    }
  }

  @Test func everyFrameIsDrawnAsAStillIs() throws {
    let steps: [RenderStep] = [.thumbnail(20), .circle(border: nil)]
    let source = GIFFilm(GIFFilm.sample)
    let film = try frames(try draw(GIFFilm.sample, steps, Self.lossless).bytes)
    for (index, frame) in source.frames.enumerated() {
      let picture = TestPicture(source.width, source.height, bands: 4) { x, y, band in
        Int(frame.canvas[(y * source.width + x) * 4 + band])
      }
      let pixels = RenderPixels(width: 40, height: 30, channels: 4)
      let still = try render(picture.samples, steps, input: .pixels(pixels)).image()
      #expect(difference(film.canvases[index], still.samples) <= 1, "frame \(index)")
    }
    #expect(film.delays == [100, 200, 70, 1000])
  }

  @Test func loopsAreWrittenAsTheyWere() throws {
    let parts = [GIFFilm.Part(0, 0, 8, 8, color: 0, delay: 5), .init(2, 2, 3, 3, color: 1, delay: 5)]
    for loop in [nil, 0, 1, 7] {
      let source = GIFFilm.bytes(8, 8, loop: loop, parts)
      #expect(GIFFilm(try draw(source, [.resizing(4, 4)]).bytes).loop == loop)
      // WebP counts how often it plays, GIF how often it plays again.
      #expect(
        try frames(try draw(source, [.resizing(4, 4)], Self.lossless).bytes).loop == loop.map {
          $0 == 0 ? 0 : Int32($0 + 1)
        } ?? 1)
    }
  }

  @Test func aWebPStaysOne() throws {
    let source = try draw(GIFFilm.sample, [], Self.lossless)
    #expect(source.format == .webp && AnimatedKind(source.bytes) == .webp)
    let result = try draw(source.bytes, [.thumbnail(20)], .recipe(EncodingRecipe(.source(quality: 90))))
    #expect((result.format, result.width, result.height) == (.webp, 20, 15))
    let (ours, theirs) = (try frames(result.bytes), try frames(source.bytes))
    #expect(ours.delays == theirs.delays && ours.loop == theirs.loop && ours.canvases.count == 4)
    let film = GIFFilm(GIFFilm.sample)
    for (frame, canvas) in zip(film.frames, theirs.canvases) {
      #expect(difference(frame.canvas, canvas) == 0)
    }
  }

  /// Frames with places, one that is cleared afterwards and one that lets the one before it show through.
  @Test func partsOfAWebPLieOnOneAnother() throws {
    func part(_ x: Int, _ y: Int, _ size: Int, _ color: [Int], delay: Int, flags: UInt8) throws -> [UInt8] {
      let still = try render(TestPicture.plain(size, size, color).png(), [], Self.lossless)
      var head: [UInt8] = []
      for number in [x / 2, y / 2, size - 1, size - 1, delay] {
        head += [UInt8(number & 255), UInt8(number >> 8), 0]
      }
      let file = still.bytes
      let at = try #require(file.indices.first { file[$0...].starts(with: Array("VP8L".utf8)) })
      let count = Int(file[at + 4]) | Int(file[at + 5]) << 8
      return chunk("ANMF", head + [flags] + file[at..<at + 8 + count + count % 2])
    }
    func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
      Array(name.utf8) + [UInt8(data.count & 255), UInt8(data.count >> 8), 0, 0] + data
        + (data.count % 2 == 1 ? [0] : [])
    }
    let body =
      chunk("VP8X", [0x12, 0, 0, 0, 15, 0, 0, 15, 0, 0]) + chunk("ANIM", [0, 0, 0, 0, 2, 0])
      + (try part(0, 0, 16, [255, 0, 0, 255], delay: 50, flags: 0))
      + (try part(2, 2, 6, [0, 255, 0, 128], delay: 60, flags: 1))
      + (try part(8, 8, 4, [0, 0, 255, 128], delay: 70, flags: 2))
    let size = body.count + 4
    let source = Array("RIFF".utf8) + [UInt8(size & 255), UInt8(size >> 8), 0, 0] + Array("WEBP".utf8) + body
    #expect(AnimatedKind(source) == .webp)
    let film = try frames(try draw(source, [.thumbnail(16)], Self.lossless).bytes)
    #expect(film.delays == [50, 60, 70] && film.loop == 2)
    func pixel(_ frame: Int, _ x: Int, _ y: Int) -> [UInt8] {
      Array(film.canvases[frame][((y * 16 + x) * 4)..<((y * 16 + x) * 4 + 4)])
    }
    #expect(pixel(0, 3, 3) == [255, 0, 0, 255] && pixel(1, 0, 0) == [255, 0, 0, 255])
    // Laid over the red.
    #expect(difference(pixel(1, 3, 3), [127, 128, 0, 255]) <= 2)
    // Cleared, and put there without what is below.
    #expect(pixel(2, 3, 3)[3] == 0)
    #expect(difference(pixel(2, 9, 9), [0, 0, 255, 128]) <= 2)
  }

  @Test(arguments: [
    (RenderLimits(maxAnimationPixels: 39_999), RenderFailure.Code.limit),
    (RenderLimits(maxAnimationPixels: 40_000), nil), (RenderLimits(maxDecodeBytes: 159_999), .limit),
    (RenderLimits(maxAnimationPixels: 4799), .limit),
  ])
  func limitsCountAllFrames(limits: RenderLimits, code: RenderFailure.Code?) throws {
    #expect(failure { try draw(GIFFilm.sample, [.resizing(100, 100)], limits: limits) } == code)
  }

  @Test func aCutFileIsNoFilm() throws {
    #expect(failure { try draw(Array(GIFFilm.sample.dropLast(40)), [.thumbnail(20)]) } == .truncated)
  }

  @Test func twoDrawingsHaveTheSameBytes() throws {
    let gif = TestPicture.noise(60, 50).gif(frames: 3)
    #expect(try draw(gif, [.thumbnail(30)]).bytes == (try draw(gif, [.thumbnail(30)]).bytes))
  }

  @Test func aStillOfTheSameStepsIsMadeBesideThem() throws {
    let steps = [RenderStep.thumbnail(20)]
    let outputs = [
      RenderOutput(steps: steps, encoding: .png),
      RenderOutput(steps: steps, encoding: .likeSource(jpegQuality: 100), drawsFrames: true),
      RenderOutput(steps: [], encoding: .original),
    ]
    let answer = ImageRenderer.render(RenderRequest(outputs: outputs), GIFFilm.sample).answer
    let formats = answer.outputs.map { output -> ImageFormat? in
      if case .encoded(let format, _, _, _, _) = output { format } else { nil }
    }
    #expect(formats == [.png, .gif, nil] && answer.outputs[2] == .original)
  }
}
