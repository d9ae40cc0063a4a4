import Foundation
import TestSupport
import Testing

@testable import Pictures

/// Reading never crashes and never hangs, and what it accepts has a size.
@Suite(.timeLimit(.minutes(10)))
struct ImageHeaderFuzzTests {
  private func readAnything(_ bytes: [UInt8]) {
    _ = try? PictureStructure.check(bytes, formats: Set(ImageFormat.allCases))
    guard let header = try? ImageHeader.read(bytes) else { return }
    #expect(header.width > 0 && header.height > 0 && header.frames > 0)
    #expect(header.channels > 0 && header.storedSamples > 0)
    // The arithmetic of limits holds for whatever was read.
    try? RenderLimits(maxPixels: .max, maxSide: .max, maxAnimationPixels: .max, maxDecodeBytes: .max)
      .check(header, byteCount: bytes.count)
  }

  @Test(arguments: Samples.all)
  func mutatedPicturesNeverCrash(_ seed: [UInt8]) {
    var generator = SeededGenerator(state: 1)
    for _ in 0..<3_000 {
      var bytes = seed
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        let offset = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: bytes[offset] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes[offset] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &generator) ?? 0
        case 2: bytes[offset] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 3: bytes.removeSubrange(offset..<min(bytes.count, offset + 4))
        default: bytes.insert(contentsOf: [0xFF, 0xFF, 0xFF, 0xFF], at: offset)
        }
        if bytes.isEmpty { break }
      }
      readAnything(bytes)
    }
  }

  @Test(arguments: Samples.all)
  func everyCutIsReadOrRefused(_ seed: [UInt8]) {
    for length in 0...seed.count { readAnything(Array(seed.prefix(length))) }
  }
}

/// Pictures from many cameras and editors, and hostile ones; only where the collection lies beside the checkout.
@Suite(.timeLimit(.minutes(10)), .enabled(if: Fixtures.corpus != nil))
struct ImageCorpusTests {
  private func bytes(_ name: String) throws -> [UInt8] {
    let folder = try #require(Fixtures.corpus)
    return [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
  }

  @Test(arguments: ["truncated.svgz", "issue412.jp2", "svg_billion.svg", "svg_file_ref.svg", "svg_huge.svg"])
  func formatsThatHarmADecoderAreRefusedByTheirMagic(_ name: String) throws {
    let bytes = try bytes("bombs/\(name)")
    #expect(throws: RenderFailure.self) { try PictureStructure.check(bytes) }
  }

  @Test(arguments: [
    ("photos/2004default.jpg", 3840, 2400), ("photos/calla.png", 3700, 2400),
    ("photos/Painting-Colors_by__herobrine7gamer.jpg", 6000, 4000), ("thumbnails/xmp_test.jpg", 2000, 1072),
    ("orientation/hopper_orientation_6.webp", 128, 128), ("orientation/orientation_rectangle.jpg", 2, 1),
  ])
  func photographsAreReadAndWithinTheLimits(_ name: String, _ width: Int, _ height: Int) throws {
    let bytes = try bytes(name)
    let header = try ImageHeader.read(bytes)
    #expect(header.width == width && header.height == height)
    #expect(header.isComplete)
    try RenderLimits().check(header, byteCount: bytes.count)
  }

  @Test(arguments: [
    "truncated_image.png", "truncated_end_chunk.png", "truncated_jpeg.jpg", "decompression_bomb.gif",
  ])
  func cutFilesAreNotWhole(_ name: String) throws {
    #expect(try !ImageHeader.read(try bytes("odd/\(name)")).isComplete)
  }
}
