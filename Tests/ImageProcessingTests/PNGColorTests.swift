import Foundation
import Testing

@testable import ImageProcessing
@testable import Pictures
@testable import Rendering

/// What a PNG says of its colours in chunks, and its orientation.
@Suite(.timeLimit(.minutes(10))) struct PNGColorTests {
  private typealias Chunk = TestPicture.Chunk

  private static func gamma(_ value: Double) -> Chunk {
    ("gAMA", bigEndian(Int((value * 100_000).rounded())))
  }

  /// White, red, green and blue.
  private static func places(_ values: [Double]) -> Chunk {
    ("cHRM", values.flatMap { bigEndian(Int(($0 * 100_000).rounded())) })
  }

  private static let srgb = places([0.3127, 0.329, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06])
  private static let p3 = places([0.3127, 0.329, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06])
  private static let perceptual: Chunk = ("sRGB", [0])
  private static let color = [200, 100, 50]
  private static let picture = TestPicture.plain(8, 8, color)

  private func pixel(_ png: [UInt8], keepsGamut: Bool = false) throws -> (
    samples: [UInt8], profile: [UInt8], note: String?
  ) {
    let drawn = try render(png, [.resize(4, 4)], keepsGamut: keepsGamut)
    let image = try drawn.image()
    return (Array(image.samples.prefix(image.bands)), image.rowFormat.profile, drawn.note)
  }

  /// What sRGB has for a level of this gamma.
  private static func expected(_ level: Int, _ gamma: Double) -> Double {
    let light = pow(Double(level) / 255, 1 / gamma)
    return 255 * (light <= 0.003_130_8 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055)
  }

  private static func palette(_ picture: TestPicture) throws -> [UInt8] {
    try render(picture.png(), [], .recipe(EncodingRecipe(.png(.init(hasPalette: true))))).bytes
  }

  @Test(arguments: [0.35, 0.55, 0.7, 1, 2.5]) func aGammaIsApplied(gamma: Double) throws {
    let chunk = Self.gamma(gamma)
    let grey = TestPicture.plain(8, 8, [100])
    var palette = try Self.palette(Self.picture)
    palette.insert(contentsOf: TestPicture.chunk(chunk.name, chunk.bytes), at: 33)
    let files: [(file: [UInt8], levels: [Int])] = [
      (Self.picture.png(chunks: [chunk]), Self.color),
      (Self.picture.png(chunks: [chunk], isDeep: true), Self.color),
      (Self.picture.png(chunks: [chunk, Self.srgb]), Self.color), (palette, Self.color),
      (TestPicture.plain(8, 8, Self.color + [255]).png(chunks: [chunk]), Self.color),
      (grey.png(chunks: [chunk]), [100]), (grey.png(chunks: [chunk], isDeep: true), [100]),
      (TestPicture.plain(8, 8, [100, 255]).png(chunks: [chunk]), [100]),
    ]
    for (index, file) in files.enumerated() {
      let drawn = try pixel(file.file)
      let wanted = file.levels.map { Self.expected($0, gamma) }
      #expect(
        zip(drawn.samples, wanted).allSatisfy { abs(Double($0) - $1) <= 2 },
        "\(index): \(drawn) for \(wanted)")
      #expect(drawn.profile.isEmpty && drawn.note == nil)
      // In its own space the numbers stay; grey and what has 16 bits become sRGB's.
      let kept = try pixel(file.file, keepsGamut: true)
      #expect(kept.profile.isEmpty == (file.levels.count == 1 || index == 1))
      if let space = TestProfile(reading: kept.profile) {
        #expect(
          kept.samples.prefix(3).map { Int($0) } == Self.color && abs(space.curve[0] * gamma - 1) < 0.01)
      }
    }
  }

  /// Eight bits of linear light would have three levels for these.
  @Test func darkColoursOfSixteenBitsStayApart() throws {
    let picture = TestPicture(64, 1) { x, _, _ in x / 4 }
    let deep = picture.png(chunks: [Self.gamma(1)], isDeep: true)
    let samples = try render(deep, []).image().samples
    for level in 0..<16 {
      #expect(abs(Double(samples[level * 12]) - Self.expected(level, 1)) <= 1)
    }
  }

  @Test func whatSaysNothingNewChangesNoByte() throws {
    let plain = try render(Self.picture.png(), [.resize(4, 4)]).bytes
    for chunks: [Chunk] in [
      [Self.gamma(0.45455)], [Self.gamma(0.45)], [Self.gamma(0.459)], [Self.gamma(0.45455), Self.srgb],
      [Self.srgb],
      [Self.perceptual, Self.gamma(1), Self.p3],
      [("cICP", [1, 13, 0, 1]), Self.gamma(1), TestProfile.p3.chunk],
    ] {
      for keepsGamut in [true, false] {
        let png = Self.picture.png(chunks: chunks)
        #expect(try render(png, [.resize(4, 4)], keepsGamut: keepsGamut).bytes == plain, "\(chunks)")
      }
    }
  }

  @Test func theStrongerWordCounts() throws {
    let cicp: Chunk = ("cICP", [12, 13, 0, 1])
    let profile = try pixel(Self.picture.png(chunks: [TestProfile.adobe.chunk]), keepsGamut: true).profile
    let wide = try pixel(Self.picture.png(chunks: [cicp]), keepsGamut: true).profile
    #expect(!wide.isEmpty && wide != profile)
    func kept(_ chunks: [Chunk]) throws -> [UInt8] {
      try pixel(Self.picture.png(chunks: chunks), keepsGamut: true).profile
    }
    #expect(try kept([cicp, TestProfile.adobe.chunk, Self.perceptual, Self.gamma(1)]) == wide)
    #expect(try kept([TestProfile.adobe.chunk, Self.gamma(1), Self.p3]) == profile)
    // Places alone have sRGB's curve, and are Display P3 here.
    #expect(
      try pixel(Self.picture.png(chunks: [Self.p3])).samples
        == pixel(Self.picture.png(chunks: [cicp])).samples)
    #expect(try TestProfile(reading: kept([Self.p3, Self.gamma(0.5)]))?.curve[0] == 2)
    // Behind the pixels it is too late.
    #expect(try pixel(Self.picture.png(behind: [Self.gamma(1)])).samples.map { Int($0) } == Self.color)
  }

  @Test func absurdNumbersAreLeftAlone() throws {
    let zeros = Self.places([0, 0, 0, 0, 0, 0, 0, 0])
    let plain = try pixel(Self.picture.png())
    for chunks: [Chunk] in [
      [Self.gamma(0)], [Self.gamma(0.0001)], [("gAMA", [0xFF, 0xFF, 0xFF, 0xFF])], [zeros],
      [Self.places([0.3127, 0.329, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3])], [("cICP", [200, 200, 0, 1])],
      [("cICP", [12, 13, 1, 1])],
    ] {
      let drawn = try pixel(Self.picture.png(chunks: chunks), keepsGamut: true)
      #expect(drawn.samples == plain.samples && drawn.profile.isEmpty && drawn.note != nil, "\(chunks)")
    }
    // The gamma beside them counts, and so does what stands beside code points that are not known.
    #expect(try pixel(Self.picture.png(chunks: [zeros, Self.gamma(1)])).samples[1] == 168)
    #expect(try pixel(Self.picture.png(chunks: [("cICP", [9, 16, 0, 1]), Self.gamma(1)])).samples[1] == 168)
    // libpng warns of it, and the colours are sRGB.
    let note = try pixel(Self.picture.png(chunks: [Self.gamma(0), Self.perceptual])).note
    #expect(note?.contains("makes no sense") != true)
    // Damaged chunks are not read.
    var damaged = Self.picture.png(chunks: [Self.gamma(1)])
    damaged[33 + 8 + 4] ^= 1
    #expect(try pixel(damaged).samples == plain.samples)
  }
}
