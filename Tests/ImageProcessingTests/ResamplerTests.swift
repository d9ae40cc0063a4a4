import Foundation
import Testing

@testable import ImageProcessing
@testable import Pictures

/// The sum by whole numbers, against the one by fractions.
@Suite(.timeLimit(.minutes(10))) struct ResamplerTests {
  /// Left, top, width and height of a part of 203 x 151 pixels, and the size that it is drawn at.
  static let parts: [(region: [Double], width: Int, height: Int)] = [
    ([0, 0, 203, 151], 100, 75), ([0, 0, 203, 151], 187, 139), ([0, 0, 203, 151], 33, 150),
    ([0, 0, 203, 151], 202, 17), ([0, 0, 203, 151], 7, 5), ([0, 0, 203, 151], 1, 1),
    ([3.25, 7.5, 180.5, 120.25], 64, 43), ([0, 0, 203, 151], 15, 16), ([190, 140, 13, 11], 6, 5),
  ]

  private static let ordinary: [TestPicture] = [
    .noise(203, 151), .noise(203, 151, bands: 1), .gradient(203, 151),
  ]
  /// The worst for what overshoots: hard edges between the darkest and the brightest. Many means lie halfway between two
  /// levels, so how often the ways differ says nothing.
  private static let edges = TestPicture(203, 151) { x, y, _ in (x / 3 + y / 3) % 2 * 255 }
  private static let pictures = ordinary + [edges]

  @Test(arguments: parts.indices) func wholeNumbersAreAtMostALevelAway(index: Int) throws {
    let part = Self.parts[index]
    for (number, picture) in Self.pictures.enumerated() {
      let image = try render(picture.png(), []).image().inMemory()
      let fractions = try image.drawn(part.region, part.width, part.height, by: 0)
      let whole = try image.drawn(part.region, part.width, part.height, by: 2)
      #expect(whole.count == part.width * part.height * picture.bands)
      let differences = zip(fractions, whole).map { Double(abs(Int($0) - Int($1))) }
      #expect((differences.max() ?? 0) <= 1)
      let square = differences.reduce(0) { $0 + $1 * $1 } / Double(differences.count)
      // 60 dB, where there are enough pixels to speak of a mean.
      if differences.count > 1000, number < Self.ordinary.count { #expect(square < 255 * 255 / 1e6) }
    }
  }

  @Test(arguments: parts.indices) func everyProcessorHasTheSameBytes(index: Int) throws {
    let part = Self.parts[index]
    for picture in Self.pictures {
      let image = try render(picture.png(), []).image().inMemory()
      let anywhere = try image.drawn(part.region, part.width, part.height, by: 1)
      #expect(try image.drawn(part.region, part.width, part.height, by: 2) == anywhere)
    }
  }

  @Test(arguments: [0, 1, 127, 128, 254, 255]) func aFlatPictureStaysAsItIs(level: Int) throws {
    let image = try render(TestPicture.plain(203, 151, [level, level, level]).png(), []).image().inMemory()
    for part in Self.parts {
      let drawn = try image.drawn(part.region, part.width, part.height, by: 2)
      #expect(drawn.allSatisfy { Int($0) == level })
    }
  }

  @Test func halvingAveragesFourPixels() throws {
    for bands in 1...4 {
      let picture = TestPicture.noise(21, 13, bands: bands)
      let image = try render(picture.png(), []).image().inMemory()
      let (from, halved) = (image.samples, try image.halved())
      #expect((halved.width, halved.height) == (10, 6))
      guard bands % 2 == 1 else { continue }
      for (index, sample) in halved.samples.enumerated() {
        let (pixel, band) = (index / bands, index % bands)
        let (x, y) = (pixel % 10 * 2, pixel / 10 * 2)
        let four = [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)].map {
          Int(from[($0.1 * 21 + $0.0) * bands + band])
        }
        #expect(Int(sample) == (four.reduce(0, +) + 2) / 4)
      }
    }
  }
}

extension VipsImage {
  /// By fractions (0), by whole numbers with the loops of every processor (1), or with this one's (2).
  fileprivate func drawn(_ region: [Double], _ width: Int, _ height: Int, by way: Int32) throws -> [UInt8] {
    try resampled(
      PictureRegion(left: region[0], top: region[1], width: region[2], height: region[3]),
      to: (width, height),
      by: way
    ).samples
  }
}
