import Digests
import Foundation
import TestSupport
import Testing

@testable import ImageProcessing
@testable import Pictures
@testable import Rendering

/// Files have the bytes that libvips has libjpeg-turbo write.
/// The pixels of JPEG files, against those of a reference implementation (Tests/Fixtures/jpeg/README.md).
@Suite(.timeLimit(.minutes(10))) struct JPEGEncodingTests {
  /// Around the sides of blocks and of MCUs, and far from square.
  static let sizes = [
    (1, 1), (1, 9), (2, 2), (7, 8), (8, 9), (9, 8), (9, 16), (15, 17), (16, 33), (17, 2), (24, 24), (31, 15),
    (33, 48), (47, 49), (200, 3), (3, 200), (130, 71), (1000, 9),
  ]

  enum Content: CaseIterable {
    case noise, color, slopes, points, squares, bars, blackAndWhiteNoise, dots

    func sample(_ x: Int, _ y: Int, _ band: Int) -> Int {
      switch self {
      case .noise: Self.random(x, y, band) & 255
      case .color: [200, 30, 90][band]
      case .slopes: x * 3 + y * 5 + band * 40
      case .points: (x + y + band) % 2 * 255
      case .squares: (x / 8 + y / 8) % 2 * 255
      case .bars: (x / 2 + band * y / 3) % 2 * 255
      case .blackAndWhiteNoise: Self.random(x, y, band) % 2 * 255
      case .dots: (x * 31 + y * 17) % 61 == 0 ? 255 - 60 * band : 128
      }
    }

    private static func random(_ x: Int, _ y: Int, _ band: Int) -> Int {
      let place = UInt32(x * 7919 + y * 104_729 + band * 31)
      let mixed = (place ^ place >> 7) &* 2_654_435_761
      return Int((mixed ^ mixed >> 13) &* 2_246_822_519 >> 16)
    }
  }

  static let recipes: [(quality: Int, chroma: EncodingRecipe.Chroma)] = [
    (1, .halved), (30, .full), (80, .halved), (90, .full), (100, .halved), (100, .full),
  ]

  private static func image(
    _ width: Int, _ height: Int, _ bands: Int, _ content: Content
  ) throws -> Raster {
    try TestPicture(width, height, bands: bands, content.sample).raster()
  }

  private static func options(
    _ quality: Int, _ chroma: EncodingRecipe.Chroma, optimizes: Bool = true
  ) -> EncodingRecipe.JPEG {
    .init(quality: quality, isProgressive: false, optimizesCoding: optimizes, chroma: chroma)
  }

  /// Digests of what libjpeg-turbo 2.1.5 writes (Tests/Fixtures/jpeg/README.md).
  @Test func filesAreThoseOfTheVectors() throws {
    let text = try String(
      contentsOf: Fixtures.folder.appendingPathComponent("jpeg/encoded.tsv"), encoding: .utf8)
    var found: [String] = []
    for content in Content.allCases {
      for (width, height, bands) in [(1, 1, 3), (9, 16, 1), (17, 2, 3), (33, 48, 3), (130, 71, 3)] {
        let image = try Self.image(width, height, bands, content)
        for (quality, chroma) in Self.recipes {
          for optimizes in [true, false] {
            let file = try image.jpeg(Self.options(quality, chroma, optimizes: optimizes), [])
            let digest = SHA256.hash(file).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
            found.append(
              "\(content)\t\(width)\t\(height)\t\(bands)\t\(quality)\t\(chroma)\t\(optimizes)\t\(digest.joined())"
            )
          }
        }
      }
    }
    #expect(found == text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init))
  }

  @Test(arguments: Content.allCases) func everySizeAndContentHasTheBytesOfLibjpeg(content: Content) throws {
    for (width, height) in Self.sizes {
      for bands in [1, 3] {
        let image = try Self.image(width, height, bands, content)
        for (quality, chroma) in Self.recipes {
          for (isProgressive, optimizes) in [(false, true), (false, false), (true, true)] {
            if isProgressive, width != 33 { continue }
            var options = Self.options(quality, chroma, optimizes: optimizes)
            options.isProgressive = isProgressive
            let ours = try image.jpeg(options, [])
            let theirs = try image.save(
              "jpegsave_buffer", "Q=\(quality)", "optimize-coding=\(optimizes)", "interlace=\(isProgressive)",
              "subsample-mode=\(chroma == .full ? "off" : "on")")
            #expect(ours == theirs, "\(content), \(width) x \(height), \(bands) bands, \(options)")
          }
        }
      }
    }
  }

  @Test func everyQualityHasTheBytesOfLibjpeg() throws {
    let images = [try Self.image(40, 23, 3, .noise), try Self.image(23, 40, 3, .blackAndWhiteNoise)]
    for quality in 1...100 {
      for image in images {
        let ours = try image.jpeg(Self.options(quality, .auto), [])
        let theirs = try image.save("jpegsave_buffer", "Q=\(quality)", "optimize-coding=true")
        #expect(ours == theirs, "\(quality)")
      }
    }
  }

  /// A segment holds 65,519 bytes of a profile.
  @Test(arguments: [1, 3000, 65_519, 65_520, 131_038, 200_000])
  func aProfileGoesInFrontInPieces(size: Int) throws {
    let profile = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    for bands in [1, 3] {
      let image = try Self.image(33, 17, bands, .slopes)
      let plain = try image.jpeg(Self.options(80, .halved), [])
      var rest = try image.jpeg(Self.options(80, .halved), profile).dropFirst(2)
      var found: [UInt8] = []
      let count = (size + 65_518) / 65_519
      for number in 1...count {
        let length = Int(rest[rest.startIndex + 2]) << 8 + Int(rest[rest.startIndex + 3])
        let segment = rest.dropFirst(4).prefix(length - 2)
        #expect(rest.starts(with: [0xFF, 0xE2]))
        #expect(segment.starts(with: Array("ICC_PROFILE".utf8) + [0, UInt8(number), UInt8(count)]))
        found += segment.dropFirst(14)
        rest = rest.dropFirst(2 + length)
      }
      #expect(found == profile)
      #expect(rest.elementsEqual(plain.dropFirst(2)))
    }
  }

  static let names = [
    "444", "422", "420", "440", "411", "410", "420-progressive", "420-restarts", "420-scans", "rgb", "grey",
    "tiny",
  ]
  static let shrinks = [1, 2, 4, 8]

  @Test(arguments: names) func aPictureIsWhatTheReferenceMakesOfIt(name: String) throws {
    let bytes = try Fixtures.bytes("jpeg/\(name).jpg")
    var golden = try Fixtures.bytes("jpeg/\(name).raw")[...]
    let plain = try #require(PlainJPEG(bytes))
    for shrink in Self.shrinks {
      let image = try #require(plain.image(of: bytes, shrink: shrink))
      #expect(image.width == max(plain.width / shrink, 1) && image.height == max(plain.height / shrink, 1))
      let samples = image.samples
      #expect(samples == plain.image(of: bytes, shrink: shrink, how: PlainJPEG.anywhere)?.samples)
      #expect(golden.count >= samples.count)
      let differences = zip(samples, golden).map { abs(Int($0) - Int($1)) }
      #expect(differences.allSatisfy { $0 <= 1 }, "1/\(shrink)")
      #expect(differences.count { $0 != 0 } <= differences.count / 200, "1/\(shrink)")
      golden = golden.dropFirst(samples.count)
    }
    #expect(golden.isEmpty)
  }

  /// A damaged byte changes pixels, or the file is refused: at all sizes, and whatever the loops.
  @Test(arguments: names) func aDamagedFileIsTakenOrLeftAtAllSizes(name: String) throws {
    let bytes = try Fixtures.bytes("jpeg/\(name).jpg")
    for index in stride(from: 2, to: bytes.count, by: 5) {
      var damaged = bytes
      damaged[index] ^= 0x41
      guard let plain = PlainJPEG(damaged), plain.width * plain.height < 1 << 20 else { continue }
      let images = Self.shrinks.map { plain.image(of: damaged, shrink: $0) }
      #expect(Set(images.map { $0 == nil }).count == 1, "byte \(index)")
      for (shrink, image) in zip(Self.shrinks, images) {
        let other = plain.image(of: damaged, shrink: shrink, how: PlainJPEG.anywhere)
        #expect(image?.samples == other?.samples, "byte \(index), 1/\(shrink)")
      }
      // What is taken libvips takes too.
      if let image = images[0] { #expect(try decoded(damaged, .jpeg).size == image.size, "byte \(index)") }
    }
  }
}
