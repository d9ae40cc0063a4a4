import Foundation
import Testing

@testable import ImageProcessing
@testable import Pictures

@Suite(.timeLimit(.minutes(10))) struct ColorStepTests {
  private func linear(_ level: Int) -> Double {
    let encoded = Double(level) / 255
    return encoded <= 0.04045 ? encoded / 12.92 : pow((encoded + 0.055) / 1.055, 2.4)
  }

  private func level(_ linear: Double) -> Int {
    let light = min(max(linear, 0), 1)
    let encoded = light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    return Int((encoded * 255).rounded())
  }

  private func drawn(_ pixel: [Int], _ steps: RenderStep...) throws -> [Int] {
    try Drawn(.plain(2, 2, pixel), steps).pixel(1, 1)
  }

  private func controls(
    _ brightness: Double, _ contrast: Double, _ saturation: Double, _ exposure: Double
  ) -> RenderStep {
    .colorControls(
      brightness: brightness, contrast: contrast, saturation: saturation, exposure: exposure)
  }

  @Test func anOverlayMixesInsideThePicturesShape() throws {
    #expect(isNear(try drawn([0, 0, 255], .overlay(color: .red, fraction: 0.25)), [191, 0, 64]))
    #expect(try drawn([0, 0, 255], .overlay(color: .red, fraction: 0)) == [255, 0, 0])
    #expect(try drawn([0, 0, 255], .overlay(color: .red, fraction: 1)) == [0, 0, 255])
    // The picture counts with its own alpha, too, and the shape keeps it.
    #expect(
      isNear(try drawn([0, 0, 255, 51], .overlay(color: .red, fraction: 0.5)), [230, 0, 25, 51], by: 3))
    let hidden = try drawn([0, 0, 255, 0], .overlay(color: .red, fraction: 0.5))
    #expect(hidden[3] == 0)
    let weak = try drawn([0, 0, 255], .overlay(color: RenderStep.Color([255, 0, 0, 102]), fraction: 0))
    #expect(weak == [255, 0, 0, 102])
  }

  @Test func aTintIsLaidOverInLinearLight() throws {
    let half = level(0.5)
    #expect(
      isNear(
        try drawn([0, 0, 0], .tint(RenderStep.Color([255, 255, 255, 128]))), [half, half, half], by: 2))
    #expect(try drawn([7, 8, 9], .tint(RenderStep.Color([10, 20, 30]))) == [10, 20, 30])
    // It fills what was transparent.
    #expect(try drawn([7, 8, 9, 0], .tint(RenderStep.Color([10, 20, 30]))) == [10, 20, 30, 255])
    #expect(isNear(try drawn([0, 0, 255, 0], .tint(RenderStep.Color([255, 0, 0, 102]))), [255, 0, 0, 102]))
  }

  @Test(arguments: [[200, 100, 50], [0, 0, 0], [255, 255, 255], [3, 250, 128]])
  func colourControlsFollowTheirFormulaInLinearLight(pixel: [Int]) throws {
    for (brightness, contrast, saturation, exposure) in [
      (0.0, 1.0, 1.0, 0.0), (0.1, 1, 1, 0), (0, 1.5, 1, 0), (0, 1, 0, 0.7), (0, 1, 1.8, -1),
      (-0.2, 0.7, 0.4, 0.3),
    ] {
      let light = pixel.map(linear)
      let grey = 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2]
      let expected = light.map {
        let saturated = grey + ($0 - grey) * saturation
        return level(((saturated - 0.5) * contrast + 0.5 + brightness) * pow(2, exposure))
      }
      let result = try drawn(pixel, controls(brightness, contrast, saturation, exposure))
      #expect(isNear(result, expected), "\(brightness) \(contrast) \(saturation) \(exposure)")
    }
  }

  @Test func colourStepsLeaveAlphaAlone() throws {
    let steps =
      [controls(0.1, 1.2, 0, 0.7)] + RenderStep.ColorFilter.allCases.map { .filter($0) }
    for step in steps {
      let drawn = try Drawn(.plain(5, 5, [200, 100, 50, 85]), [step])
      #expect(drawn.image.bands == 4 && drawn.alpha(2, 2) == 85, "\(step)")
      #expect(try !Drawn(.plain(5, 5, [200, 100, 50]), [step]).image.hasAlpha, "\(step)")
    }
  }

  @Test func everyFilterDrawsOnGrey() throws {
    for filter in RenderStep.ColorFilter.allCases {
      let drawn = try Drawn(TestPicture.gradient(16, 16, bands: 1), [.filter(filter)])
      #expect((drawn.image.width, drawn.image.height) == (16, 16), "\(filter)")
    }
  }

  @Test func filtersChangeColoursAsTheirNamesSay() throws {
    let pixel = [200, 100, 50]
    let grey = 118
    #expect(isNear(try drawn(pixel, .filter(.photoEffectTonal)), [grey, grey, grey]))
    #expect(try drawn(pixel, .filter(.maximumComponent)) == [200, 200, 200])
    #expect(try drawn(pixel, .filter(.minimumComponent)) == [50, 50, 50])
    #expect(isNear(try drawn(pixel, .filter(.colorInvert)), pixel.map { level(1 - linear($0)) }))
    let there = try drawn(pixel, .filter(.linearToSRGBToneCurve), .filter(.sRGBToneCurveToLinear))
    #expect(isNear(there, pixel, by: 2))
  }

  /// Made by a reference implementation of Core Image's filter.
  @Test(arguments: [
    ([200, 100, 50], [150, 120, 63]), ([0, 0, 0], [0, 0, 0]), ([255, 255, 255], [255, 254, 245]),
    ([3, 250, 128], [225, 214, 181]), ([10, 20, 30], [39, 14, 0]), ([60, 60, 60], [84, 52, 8]),
    ([255, 0, 0], [149, 119, 62]), ([0, 0, 255], [100, 68, 18]), ([128, 64, 200], [123, 91, 36]),
  ])
  func sepiaIsThreePowersOfTheLuminance(pixel: [Int], wanted: [Int]) throws {
    #expect(isNear(try drawn(pixel, .filter(.sepiaTone)), wanted))
  }

  /// In linear light, as references of Core Image's show.
  @Test(arguments: [0, 0.25, 0.5, 0.999])
  func anIntensityMixesSepiaWithThePicture(intensity: Double) throws {
    let (pixel, sepia) = ([200, 100, 50], [150, 120, 63])
    let mixed = zip(pixel, sepia).map { level(linear($0) + (linear($1) - linear($0)) * intensity) }
    #expect(isNear(try drawn(pixel, .filter(.sepiaTone, amounts: [intensity])), mixed, by: 1))
  }

  @Test func noirIsHarderThanTonalAndMonoSofter() throws {
    func spread(_ filter: RenderStep.ColorFilter) throws -> Int {
      let (dark, light) = (
        try drawn([60, 60, 60], .filter(filter)), try drawn([190, 190, 190], .filter(filter))
      )
      return light[0] - dark[0]
    }
    #expect(try spread(.photoEffectNoir) > 140)
    #expect(try spread(.photoEffectTonal) == 130)
    #expect(try (110..<125).contains(spread(.photoEffectMono)))
  }

  @Test(arguments: [RenderStep.ColorFilter.sharpenLuminance, .unsharpMask])
  func sharpeningRaisesAnEdgeAndLeavesPlainPartsAlone(filter: RenderStep.ColorFilter) throws {
    let edge = TestPicture(40, 8) { x, _, _ in x < 20 ? 90 : 150 }
    let drawn = try Drawn(edge, [.filter(filter)])
    #expect(drawn.pixel(19, 4)[0] < 85 && drawn.pixel(20, 4)[0] > 155)
    #expect(isNear(drawn.pixel(2, 4), [90, 90, 90]) && isNear(drawn.pixel(37, 4), [150, 150, 150]))
    let more = try Drawn(edge, [.filter(filter, amounts: [2.5, 1.5])])
    #expect(more.pixel(19, 4)[0] < drawn.pixel(19, 4)[0] && more.pixel(20, 4)[0] > drawn.pixel(20, 4)[0])
    let none = try Drawn(edge, [.filter(filter, amounts: [2.5, 0])])
    #expect(isNear(none.pixel(19, 4), [90, 90, 90]) && isNear(none.pixel(20, 4), [150, 150, 150]))
  }
}
