import Foundation
import TestSupport
import Testing

@testable import Digests
@testable import Pictures

@Suite(.timeLimit(.minutes(10)))
struct PictureStructureTests {
  private static let names = [
    "balloons.webp", "cmyk.jpg", "grey.jpg", "logo.png", "mountains.jpg", "opaque.png", "planets.gif",
    "portrait-6.jpg", "progressive.jpg", "thumbnail.jpg",
  ]

  private func failure(_ bytes: [UInt8], formats: Set<ImageFormat> = ImageFormat.trusted) -> RenderFailure? {
    do throws(RenderFailure) {
      try PictureStructure.check(bytes, formats: formats)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: names) func wholePicturesPass(name: String) throws {
    let bytes = try Fixtures.bytes("images/\(name)")
    #expect(failure(bytes) == nil)
    // What follows the end is nobody's business.
    #expect(failure(bytes + [0, 1, 2, 3]) == nil)
  }

  /// What was cut and closed: a scan of nothing, and zeros up to the length that is promised.
  @Test func partsThatAreEmptyDoNotPass() throws {
    let jpeg = try Fixtures.bytes("images/mountains.jpg")
    let scan = try #require(jpeg.indices.dropLast().first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xDA })
    let data = scan + 2 + Int(jpeg[scan + 3])
    #expect(failure(jpeg[..<data] + [0xFF, 0xD9])?.code == .truncated)
    #expect(PictureStructure.isLeftToDecoder(Array(jpeg[..<(data + 100)])))
    #expect(!PictureStructure.isLeftToDecoder(jpeg))
    let webp = try Fixtures.bytes("images/balloons.webp")
    for part in [2, 4, 8] {
      let zeros = [UInt8](repeating: 0, count: webp.count - webp.count / part)
      #expect(failure(webp[..<(webp.count / part)] + zeros)?.code == .truncated, "1/\(part)")
    }
  }

  /// Row 6 of the faults of the web: no cut before the end passes.
  @Test(arguments: names) func noCutPasses(name: String) throws {
    let bytes = try Fixtures.bytes("images/\(name)")
    let step = max(1, bytes.count / 200)
    // All frames of a GIF are there without its trailer.
    let last = bytes.count - (name.hasSuffix(".gif") ? 2 : 1)
    for count in Array(stride(from: 0, to: last, by: step)) + [last - 1, last] {
      let cut = failure(Array(bytes.prefix(count)))
      #expect(cut != nil, "\(name) passes with \(count) of \(bytes.count) bytes")
      #expect([.truncated, .format, .damaged].contains(cut?.code))
    }
  }

  /// Where no length was named even the trailer counts; bytes of another kind fail by their format.
  @Test(arguments: names) func onlyAWholePictureMayHaveNoLength(name: String) throws {
    let bytes = try Fixtures.bytes("images/\(name)")
    let step = max(1, bytes.count / 200)
    #expect(!PictureStructure.mayBeCut(bytes) && !PictureStructure.mayBeCut(Array("<!doctype html>\n".utf8)))
    for count in Array(stride(from: 0, to: bytes.count, by: step)) + [bytes.count - 1] {
      #expect(PictureStructure.mayBeCut(Array(bytes.prefix(count))), "\(count) of \(bytes.count)")
    }
  }

  @Test func dataOfAVIFNeedABoxWithALength() {
    let bytes = Samples.heif(brand: "avif", Samples.sizeProperty(64, 48))
    let data = bytes.count - 11
    #expect(!PictureStructure.mayBeCut(bytes))
    #expect(PictureStructure.mayBeCut(Array(bytes[..<data])))
    #expect(PictureStructure.mayBeCut(bytes[..<data] + [0, 0, 0, 0] + bytes[(data + 4)...]))
  }

  /// The same row at its full number: a photograph of 28 kB cut behind each of its bytes.
  @Test func noneOfTwentyEightThousandCutsOfAPhotographPasses() throws {
    let bytes = try Fixtures.bytes("images/mountains.jpg")
    #expect(bytes.count > 20_000)
    let end = try #require(bytes.indices.dropLast().last { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xD9 }) + 2
    var passed: [Int] = []
    for count in 0..<end where failure(Array(bytes[..<count])) == nil { passed.append(count) }
    #expect(passed == [])
    #expect(failure(bytes) == nil)
  }

  /// Row 8: bodies that are no pictures at all.
  @Test func noneOfTenThousandRandomBodiesPasses() throws {
    let handle = try #require(FileHandle(forReadingAtPath: "/dev/urandom"))
    let noise = [UInt8](try #require(try handle.read(upToCount: 1 << 20)))
    var passed = 0
    for _ in 0..<10_000 {
      let start = Int.random(in: 0..<(noise.count - 65_536))
      var body = Array(noise[start..<(start + .random(in: 0...65_536))])
      // Half of them begin like a picture: the others are over at their first bytes.
      if Bool.random(), body.count > 3 { body.replaceSubrange(0..<3, with: [0xFF, 0xD8, 0xFF]) }
      if failure(body) == nil { passed += 1 }
    }
    #expect(passed == 0)
  }

  @Test func theChecksumIsThatOfTheStandard() {
    let text = Array("123456789".utf8)
    #expect(CRC32.sum(text, 0..<9) == 0xCBF4_3926)
    #expect(CRC32.sum(Array("IEND".utf8), 0..<4) == 0xAE42_6082)
    #expect(CRC32.sum(text + text, 9..<18) == 0xCBF4_3926)
    #expect(CRC32.sum([], 0..<0) == 0)
  }

  @Test func aWebPWithoutDataOrWithAPartBeyondItsEndIsDamaged() throws {
    let bytes = try Fixtures.bytes("images/balloons.webp")
    var longer = bytes
    longer[16] = longer[16] &+ 0x40
    longer[17] = longer[17] &+ 0x40
    #expect(failure(longer) != nil)
  }

  @Test func stripsOfATIFFHaveToBeInTheFile() {
    func directory(offset: Int, count: Int, kind: Int = 273, next: Int = 0) -> [UInt8] {
      func entry(_ tag: Int, _ value: Int) -> [UInt8] {
        Samples.join(
          Samples.littleEndian(tag, 2), Samples.littleEndian(4, 2), Samples.littleEndian(1, 4),
          Samples.littleEndian(value, 4))
      }
      return Samples.join(
        Samples.littleEndian(4, 2), entry(256, 2), entry(257, 2), entry(kind, offset),
        entry(kind == 273 ? 279 : 325, count), Samples.littleEndian(next, 4), [1, 2, 3, 4])
    }
    let head = Array("II".utf8) + [42, 0, 8, 0, 0, 0]
    func tiff(offset: Int, count: Int, kind: Int = 273) -> [UInt8] {
      head + directory(offset: offset, count: count, kind: kind)
    }
    let end = tiff(offset: 0, count: 0).count
    for kind in [273, 324] {
      #expect(failure(tiff(offset: end - 4, count: 4, kind: kind), formats: [.tiff]) == nil)
      #expect(failure(tiff(offset: end - 4, count: 5, kind: kind), formats: [.tiff])?.code == .truncated)
    }
    #expect(failure(tiff(offset: 8, count: 4, kind: 999), formats: [.tiff])?.code == .damaged)
    for missing in 0...1 {
      let pages =
        head + directory(offset: 8, count: 4, next: end) + directory(offset: end, count: end - 8 + missing)
      #expect(failure(pages, formats: [.tiff]) == nil)
      #expect(PictureStructure.mayBeCut(pages) == (missing > 0))
      #expect(PictureStructure.mayBeCut(Array(pages[..<end])))
    }
  }

  @Test func formatsThatAreNotAllowedAndPagesAreRefusedByName() throws {
    let bytes = try Fixtures.bytes("images/logo.png")
    #expect(failure(bytes, formats: [.jpeg])?.code == .format)
    #expect(failure(Array("<html>".utf8))?.code == .format)
    #expect(failure([])?.code == .format)
    #expect(throws: RenderFailure.self) {
      try PictureStructure.check(bytes, limits: RenderLimits(maxPixels: 10))
    }
  }

  @Test func flippedBitsOfAPNGAreSeenButInAnAncillaryPart() throws {
    let bytes = try Fixtures.bytes("images/logo.png")
    let start = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("IDAT".utf8)) })
    for offset in [start + 4, start + 20, bytes.count - 1] {
      var damaged = bytes
      damaged[offset] ^= 1
      #expect(failure(damaged)?.code == .damaged)
    }
    // IHDR ends at byte 33.
    let comment = Samples.join(Samples.bigEndian(2, 4), Array("tEXt".utf8), [65, 0], [0, 0, 0, 0])
    #expect(failure(Array(bytes[..<33]) + comment + Array(bytes[33...])) == nil)
  }

}
