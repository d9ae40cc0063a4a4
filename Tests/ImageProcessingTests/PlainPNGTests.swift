import Foundation
import TestSupport
import Testing

@testable import ImageProcessing
@testable import Pictures
@testable import Rendering

/// What libdeflate gets without libvips, read back by libvips.
@Suite(.timeLimit(.minutes(10))) struct PlainPNGTests {
  private static func pictures(_ bands: Int) -> [TestPicture] {
    [
      .gradient(1, 1, bands: bands), .gradient(1, 300, bands: bands), .noise(257, 3, bands: bands),
      .noise(64, 48, bands: bands), .gradient(200, 150, bands: bands),
      .plain(40, 30, (1...bands).map { $0 * 50 }),
    ]
  }

  @Test(arguments: 1...4) func allPixelsComeBack(bands: Int) throws {
    for picture in Self.pictures(bands) {
      let image = try VipsSource(picture.png()).image(.png, shrink: 1, isStrict: true).inMemory()
      for compression in [0, 1, 6, 9] {
        let bytes = try image.encoded(as: .png(.init(compression: compression)))
        let back = try VipsSource(bytes).image(.png, shrink: 1, isStrict: true).inMemory()
        #expect((back.width, back.height, back.bands) == (image.width, image.height, bands))
        #expect(back.samples == image.samples, "\(bands) bands, compression \(compression)")
        // Signature, header, pixels and end, without anything else.
        #expect(Self.chunks(bytes) == ["IHDR", "IDAT", "IEND"])
      }
    }
  }

  /// A filter for each row: what grows evenly takes next to nothing.
  @Test func filtersAreChosen() throws {
    let image = try VipsSource(TestPicture.gradient(200, 150).png()).image(.png, shrink: 1, isStrict: true)
    let ours = try image.inMemory().encoded(as: .png(.init()))
    let unfiltered = try image.inMemory().save("pngsave_buffer", "filter=none")
    #expect(ours.count * 2 < unfiltered.count)
  }

  @Test func aProfileComesBack() throws {
    let image = try VipsSource(TestPicture.noise(30, 20).png()).image(.png, shrink: 1, isStrict: true)
      .inMemory()
    for profile in [TestProfile.p3.bytes, Array(repeating: 7, count: 100_000)] {
      let bytes = try image.encoded(as: .png(.init()), profile)
      #expect(Self.chunks(bytes) == ["IHDR", "iCCP", "IDAT", "IEND"])
      let header = try PictureStructure.check(bytes, formats: [.png], limits: RenderLimits())
      #expect(header.width == 30)
    }
    let back = try VipsSource(image.encoded(as: .png(.init()), TestProfile.p3.bytes))
      .image(.png, shrink: 1, isStrict: true)
    #expect(back.rowFormat.profile == TestProfile.p3.bytes)
  }

  /// With palettes libvips does it.
  @Test func aPaletteIsStillAPalette() throws {
    let image = try VipsSource(TestPicture.gradient(20, 20).png()).image(.png, shrink: 1, isStrict: true)
      .inMemory()
    #expect(Self.chunks(try image.encoded(as: .png(.init(hasPalette: true)))).contains("PLTE"))
  }

  private static func chunks(_ bytes: [UInt8]) -> [String] {
    var names: [String] = []
    var offset = 8
    while offset + 12 <= bytes.count {
      let length = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
      names.append(String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self))
      offset += length + 12
    }
    return names
  }
}
