import Foundation
import Testing

@testable import ImageProcessing
@testable import Pictures

@Suite(.timeLimit(.minutes(10))) struct ShapeTests {
  static let red = RenderStep.Color(red: 1, green: 0, blue: 0, alpha: 1)

  private func alpha(_ image: Raster) -> [Int] {
    stride(from: image.bands - 1, to: image.samples.count, by: image.bands).map { Int(image.samples[$0]) }
  }

  @Test(arguments: [5, 8, 33]) func aCircleCoversWhatACircleCovers(side: Int) throws {
    let result = try render(TestPicture.plain(side, side, [9, 9, 9]).png(), [.circle(border: nil)]).image()
    let alpha = alpha(result)
    for y in 0..<side {
      for x in 0..<side {
        // Sixteen by sixteen points of the pixel, each inside or outside.
        var inside = 0
        for index in 0..<256 {
          let across = Double(x) + (Double(index % 16) + 0.5) / 16 - Double(side) / 2
          let down = Double(y) + (Double(index / 16) + 0.5) / 16 - Double(side) / 2
          if across * across + down * down <= Double(side * side) / 4 { inside += 1 }
        }
        #expect(abs(alpha[y * side + x] - inside * 255 / 256) <= 8, "pixel \(x), \(y)")
      }
    }
  }

  @Test func roundedCornersCutTheCornersOnly() throws {
    let steps = [RenderStep.roundedCorners(radius: 6, border: nil)]
    let result = try render(TestPicture.plain(40, 30, [9, 9, 9]).png(), steps).image()
    let alpha = alpha(result)
    #expect([0, 39, 29 * 40, 30 * 40 - 1].allSatisfy { alpha[$0] == 0 })
    let outsideCorners = alpha.indices.filter { (6..<34).contains($0 % 40) || (6..<24).contains($0 / 40) }
    #expect(outsideCorners.allSatisfy { alpha[$0] == 255 })
  }

  @Test func aRadiusBeyondHalfTheSideIsThatHalf() throws {
    let source = TestPicture.gradient(40, 40).png()
    let huge = try render(source, [.roundedCorners(radius: 1e9, border: nil)])
    #expect(try huge.bytes == render(source, [.circle(border: nil)]).bytes)
  }

  @Test func halfTheBorderShowsInside() throws {
    let source = TestPicture.plain(20, 12, [0, 0, 255]).png()
    let border = RenderStep.Border(width: 6, color: Self.red)
    let result = try render(source, [.roundedCorners(radius: 0, border: border)])
    let expected = TestPicture(20, 12, bands: 4) { x, y, band in
      let isBorder = x < 3 || x >= 17 || y < 3 || y >= 9
      return (isBorder ? [255, 0, 0, 255] : [0, 0, 255, 255])[band]
    }
    #expect(try result.image().samples == expected.samples)
  }

  @Test func aBorderOnGreyHasItsColour() throws {
    let border = RenderStep.Border(width: 4, color: Self.red)
    let steps = [RenderStep.roundedCorners(radius: 0, border: border)]
    let result = try render(TestPicture.plain(9, 9, [50]).png(), steps).image()
    #expect(Array(result.samples.prefix(4)) == [255, 0, 0, 255])
    #expect(Array(result.samples[(4 * 9 + 4) * 4..<(4 * 9 + 4) * 4 + 4]) == [50, 50, 50, 255])
  }

  @Test func aTranslucentBorderLetsThePictureThrough() throws {
    var color = Self.red
    color.alpha = 0.5
    let border = RenderStep.Border(width: 4, color: color)
    let steps = [RenderStep.roundedCorners(radius: 0, border: border)]
    let result = try render(TestPicture.plain(9, 9, [0, 0, 255]).png(), steps).image()
    #expect(Array(result.samples.prefix(4)) == [128, 0, 127, 255])
  }

  // Colours that weighting by alpha in 8 bits leaves as they are.
  @Test func transparencyOfTheSourceStays() throws {
    let steps = [RenderStep.roundedCorners(radius: 2, border: nil)]
    let result = try render(TestPicture.plain(9, 9, [20, 40, 60, 102]).png(), steps).image()
    #expect(Array(result.samples[(4 * 9 + 4) * 4..<(4 * 9 + 4) * 4 + 4]) == [20, 40, 60, 102])
  }

  @Test(arguments: [1.0, 8, 200]) func aBlurLeavesAPlainPictureAsItIs(radius: Double) throws {
    let source = TestPicture.plain(30, 20, [200, 100, 50]).png()
    let result = try render(source, [.gaussianBlur(radius: radius, keepsOpaque: true)]).image()
    let expected = TestPicture.plain(30, 20, [200, 100, 50]).samples
    #expect(zip(result.samples, expected).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
  }

  @Test(arguments: [4.0, 40]) func aBlurredEdgeRisesLikeTheBell(sigma: Double) throws {
    let source = TestPicture(400, 8, bands: 1) { x, _, _ in x < 200 ? 0 : 255 }
    let steps = [RenderStep.gaussianBlur(radius: sigma, keepsOpaque: true)]
    let row = try render(source.png(), steps).image().samples.prefix(400).map(Double.init)
    for (x, value) in row.enumerated() {
      let bell = (1 + erf((Double(x) + 0.5 - 200) / (sigma * 2.0.squareRoot()))) / 2
      #expect(abs(value - 255 * bell) < 2.5, "at \(x)")
    }
  }

  @Test func hiddenColoursDoNotBleed() throws {
    // Red that cannot be seen beside blue that can.
    let source = TestPicture(40, 40, bands: 4) { x, _, band in
      (x < 20 ? [255, 0, 0, 0] : [0, 0, 255, 255])[band]
    }
    for step in [RenderStep.resize(10, 10), .gaussianBlur(radius: 3, keepsOpaque: true)] {
      let samples = try render(source.png(), [step]).image().samples
      for pixel in stride(from: 0, to: samples.count, by: 4) where samples[pixel + 3] > 8 {
        #expect(samples[pixel] <= 2)
      }
    }
  }
}
