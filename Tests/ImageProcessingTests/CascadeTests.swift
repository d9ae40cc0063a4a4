import Testing

@testable import ImageProcessing
@testable import Pictures

/// Small sizes come from a decode that left pixels out, and from averages of it. This is what that costs.
@Suite(.timeLimit(.minutes(10))) struct CascadeTests {
  /// Slopes, edges and fine texture, as a photograph has.
  static func photograph(_ width: Int, _ height: Int) -> TestPicture {
    var state: UInt32 = 11
    return TestPicture(width, height) { x, y, band in
      state = state &* 1_664_525 &+ 1_013_904_223
      let slope = (x * 120 / width) + (y * 60 / height)
      let edge = (x / 37 + y / 53) % 3 * 20
      return min(255, slope + edge + Int(state >> 28) + band * 5)
    }
  }

  static let upright = Result { try photograph(800, 600).jpeg() }

  /// Mean difference of the samples, in per cent of the full range.
  static func difference(_ a: [UInt8], _ b: [UInt8]) -> Double {
    #expect(a.count == b.count)
    let sum = zip(a, b).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    return Double(sum) / Double(max(a.count, 1)) / 2.55
  }

  /// In one step from all pixels.
  static func direct(_ source: [UInt8], _ width: Int, _ height: Int) throws -> [UInt8] {
    let all = try VipsSource(source).image(.jpeg, shrink: 1, isStrict: false).inMemory().upright().inMemory()
    return try all.resampled(PictureRegion(all: (all.width, all.height)), to: (width, height)).samples
  }

  @Test(arguments: [500, 345, 234, 166, 102, 50, 26])
  func aSmallSizeIsWithinOnePercentOfADirectDownsample(width: Int) throws {
    let source = try Self.upright.get()
    let result = try render(source, [.resize(Double(width), 1, .aspectFill)])
    #expect(result.width == width)
    let samples = try result.image().samples
    #expect(Self.difference(samples, try Self.direct(source, width, result.height)) < 1)
  }

  @Test(arguments: 2...8) func soItIsInEveryOrientation(orientation: Int) throws {
    let stored = try Self.photograph(400, 300).stored(as: orientation).jpeg()
    let source = Exif.insert(Exif.block(orientation: orientation), into: stored)
    for width in [150.0, 45] {
      let result = try render(source, [.resize(width, 1, .aspectFill)])
      let samples = try result.image().samples
      #expect(Self.difference(samples, try Self.direct(source, result.width, result.height)) < 1)
    }
  }

  @Test(arguments: 1...8) func aCropOfATurnedPictureShowsTheSamePart(orientation: Int) throws {
    let upright = TestPicture.gradient(160, 120)
    let file = Exif.insert(
      Exif.block(orientation: orientation), into: try upright.stored(as: orientation).jpeg(quality: 100))
    let crop = RenderStep.resize(30, 60, crop: true)
    let samples = try render(file, [crop]).image().samples
    let wanted = try render(upright.png(), [crop]).image().samples
    #expect(Self.difference(samples, wanted) < 1)
  }

  @Test func aPictureWithAlphaLetsNoHiddenColourBleed() throws {
    // Red that shows beside green that does not.
    let picture = TestPicture(64, 64, bands: 4) { x, _, band in
      x < 32 ? [255, 0, 0, 255][band] : [0, 255, 0, 0][band]
    }
    let samples = try render(picture.png(), [.resize(20, 20)]).image().samples
    for pixel in stride(from: 0, to: samples.count, by: 4) where samples[pixel + 3] > 8 {
      #expect(samples[pixel] > 250 && samples[pixel + 1] < 5)
    }
  }

  @Test func aPlainPictureStaysPlain() throws {
    for size in [63.0, 40, 17, 3, 1] {
      let samples = try render(TestPicture.plain(64, 64, [200, 100, 7]).png(), [.resize(size, size)]).image()
        .samples
      #expect(Set(samples) == [200, 100, 7])
    }
  }
}
