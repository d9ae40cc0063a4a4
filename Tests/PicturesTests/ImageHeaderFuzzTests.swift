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

  /// With one that has items of all kinds.
  private static let seeds = Samples.all + [(try? Fixtures.bytes("colours/grid-prem.avif")) ?? [0]]

  @Test(arguments: seeds)
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

  @Test(arguments: seeds)
  func everyCutIsReadOrRefused(_ seed: [UInt8]) {
    for length in 0...seed.count { readAnything(Array(seed.prefix(length))) }
  }

  /// Hostile ones, where the collection lies beside the checkout.
  @Test(
    .enabled(if: Fixtures.corpus != nil),
    arguments: ["truncated.svgz", "issue412.jp2", "svg_billion.svg", "svg_file_ref.svg", "svg_huge.svg"])
  func formatsThatHarmADecoderAreRefusedByTheirMagic(_ name: String) throws {
    let file = try #require(Fixtures.corpus).appendingPathComponent("bombs/\(name)")
    let bytes = [UInt8](try Data(contentsOf: file))
    #expect(throws: RenderFailure.self) { try PictureStructure.check(bytes) }
  }
}
