import Foundation
import TestSupport
import Testing

@testable import ImageProcessing
@testable import Pictures
@testable import Rendering

/// GIFs against a reader of the tests' own, frame by frame.
@Suite(.timeLimit(.minutes(10)))
struct GIFPictureTests {
  private typealias Part = GIFFilm.Part

  private static func gif(_ bytes: [UInt8], isStrict: Bool = true) throws -> GIFPicture {
    GIFPicture(bytes, try ImageHeader.read(bytes), isStrict: isStrict)
  }

  /// All frames as red, green, blue and alpha; the still is the first of them.
  private static func frames(_ bytes: [UInt8]) throws -> [[UInt8]] {
    let gif = try gif(bytes)
    try gif.requireWhole()
    let next = try gif.film()
    let frames = try (0..<gif.info.count).map { _ in
      let frame = try next()
      return try (frame.hasAlpha ? frame : frame.addingAlpha().inMemory()).samples
    }
    let still = try gif.still()
    #expect(try (still.hasAlpha ? still : still.addingAlpha().inMemory()).samples == frames[0])
    return frames
  }

  private static let places: [[Part]] = [
    // What no frame covers.
    [Part(10, 5, 15, 10, color: 0, delay: 5)],
    [Part(0, 0, 39, 30, color: 0, delay: 5), Part(0, 0, 40, 29, color: 1, delay: 5)],
    // What is cleared.
    [
      Part(0, 0, 40, 30, color: 0, delay: 5, disposal: 2),
      Part(3, 4, 10, 10, color: 1, delay: 5, disposal: 2),
      Part(30, 20, 10, 10, color: 2, delay: 5), Part(0, 0, 5, 5, color: 3, delay: 5),
    ],
    // What is taken back, to a canvas without anything at first.
    [
      Part(0, 0, 40, 30, color: 0, delay: 5, disposal: 3),
      Part(3, 4, 10, 10, color: 1, delay: 5, disposal: 3),
      Part(0, 0, 40, 30, color: 2, delay: 5), Part(5, 5, 10, 10, color: 3, delay: 5, disposal: 4),
      Part(0, 0, 2, 2, color: 1, delay: 5),
    ],
    // What lies partly or wholly outside.
    [
      Part(30, 20, 30, 30, color: 0, delay: 5, disposal: 2), Part(50, 0, 10, 10, color: 1, delay: 5),
      Part(0, 40, 10, 10, color: 1, delay: 5, disposal: 2), Part(0, 0, 100, 80, color: 2, delay: 5),
    ],
  ]

  @Test(arguments: places.indices, [true, false])
  func framesAreWhatTheyShow(index: Int, hasClearColor: Bool) throws {
    let bytes = GIFFilm.bytes(40, 30, hasClearColor: hasClearColor, Self.places[index])
    let film = GIFFilm(bytes)
    #expect(try Self.frames(bytes) == film.frames.map(\.canvas))
    let gif = try Self.gif(bytes)
    #expect((gif.width, gif.height) == (40, 30))
    let clears = film.frames.map { frame in
      stride(from: 3, to: 4800, by: 4).contains { frame.canvas[$0] == 0 }
    }
    if !hasClearColor { #expect((gif.stillHasAlpha, gif.filmHasAlpha) == (clears[0], clears.contains(true))) }
  }

  @Test func filesOfOthersAreReadAlike() throws {
    for bytes in [
      try Fixtures.bytes("images/planets.gif"), GIFFilm.sample, GIFFilm.still,
      TestPicture.noise(60, 50).gif(frames: 2),
    ] {
      #expect(try Self.frames(bytes) == GIFFilm(bytes).frames.map(\.canvas))
    }
  }

  /// `resize` makes a PNG of it, since something shows through.
  @Test func aStillIsTransparentWhereNoFrameIs() throws {
    let bytes = GIFFilm.bytes(40, 30, hasClearColor: false, Self.places[0])
    let result = try render(bytes, [.resize(40, 30)], .automatic(jpegQuality: 80))
    #expect(result.format == .png)
    #expect(try result.image().samples == GIFFilm(bytes).frames[0].canvas)
    let covered = GIFFilm.bytes(40, 30, hasClearColor: false, [Part(0, 0, 50, 40, color: 1, delay: 0)])
    #expect(try render(covered, [.resize(40, 30)], .automatic(jpegQuality: 80)).format == .jpeg)
  }

  @Test func aFrameWithoutASizeCoversNothingOrAll() throws {
    let parts = [Part(0, 0, 0, 0, color: 0, delay: 5), Part(0, 0, 40, 30, color: 1, delay: 5)]
    let frames = try Self.frames(GIFFilm.bytes(40, 30, hasClearColor: false, parts))
    #expect(frames[0].allSatisfy { $0 == 0 })
    #expect(frames[1].prefix(4) == [0, 255, 0, 255])
    // Old writers left the size out; browsers take the screen's.
    var bytes = TestPicture.noise(60, 50).gif()
    let whole = try Self.frames(bytes)
    bytes.replaceSubrange(402..<406, with: [0, 0, 0, 0])
    #expect(try Self.frames(bytes) == whole)
  }

  @Test func interlacedRowsComeInTheirOrder() throws {
    let picture = TestPicture.noise(9, 21)
    let order = [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { Array(stride(from: $0.0, to: 21, by: $0.1)) }
    let stored = TestPicture(9, 21) { x, y, band in Int(picture.samples[(order[y] * 9 + x) * 3 + band]) }
    var bytes = stored.gif()
    bytes[406] |= 0x40
    #expect(try Self.frames(bytes) == Self.frames(picture.gif()))
  }

  /// The last row may lack some pixels unless decoding is strict; what makes no sense is damage.
  @Test func whatIsMissingIsCounted() throws {
    let whole = GIFFilm.bytes(10, 10, [Part(0, 0, 10, 10, color: 0, delay: 0)])
    let at = try #require(whole.indices.last { whole[$0] == 129 })
    var (short, damaged) = (whole, whole)
    // The end comes five pixels early.
    short[at - 5] = 129
    #expect(try render(short, []).note == "the last row of a frame is not whole")
    #expect(proof(short) == nil && proof(short, isStrict: true) == .truncated)
    short[at - 10] = 129
    #expect(proof(short) == .truncated)
    damaged[at - 50] = 255
    #expect(proof(damaged) == .damaged)
  }

  @Test func nothingOfAStrangersMakesItStumble() throws {
    let seeds = [GIFFilm.sample, GIFFilm.bytes(40, 30, hasClearColor: false, Self.places[4])]
    var state: UInt32 = 1
    func dice(_ below: Int) -> Int {
      state = state &* 1_664_525 &+ 1_013_904_223
      return Int(state >> 8) % below
    }
    for seed in seeds + [TestPicture.noise(9, 21).gif(frames: 2)] {
      for _ in 0..<300 {
        var bytes = seed
        for _ in 0...dice(6) { bytes[6 + dice(bytes.count - 6)] = UInt8(dice(256)) }
        guard let header = try? ImageHeader.read(bytes), header.width * header.height < 1 << 20 else {
          continue
        }
        let gif = GIFPicture(bytes, header, isStrict: false)
        _ = try gif.still()
        let next = try gif.film()
        for _ in 0..<gif.info.count { _ = try next() }
      }
    }
  }
}
