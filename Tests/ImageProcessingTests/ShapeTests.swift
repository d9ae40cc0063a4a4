import Foundation
import Testing

@testable import Pictures

@Suite(.timeLimit(.minutes(10))) struct ShapeTests {
  @Test func aRadiusBeyondHalfTheSideIsThatHalf() throws {
    let source = TestPicture.gradient(40, 40).png()
    let huge = try render(source, [.roundedCorners(radius: 1e9, border: nil)])
    #expect(try huge.bytes == render(source, [.circle(border: nil)]).bytes)
  }

  @Test(arguments: [1.0, 8, 200]) func aBlurLeavesAPlainPictureAsItIs(radius: Double) throws {
    let source = TestPicture.plain(30, 20, [200, 100, 50]).png()
    let result = try render(source, [.gaussianBlur(radius: radius, keepsOpaque: true)]).image()
    #expect(isNear(result.samples, TestPicture.plain(30, 20, [200, 100, 50]).samples))
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

  @Test(arguments: Drawing.allCases) func hiddenColoursDoNotBleed(drawing: Drawing) throws {
    // Red that cannot be seen beside blue that can.
    let source = TestPicture(64, 64, bands: 4) { x, _, band in
      (x < 32 ? [255, 0, 0, 0] : [0, 0, 255, 255])[band]
    }
    for step in [RenderStep.resize(20, 20), .gaussianBlur(radius: 3, keepsOpaque: true)] {
      let samples = try render(source.png(), [step], drawing: drawing).image().samples
      let least = drawing == .libvips && step.name == "resize" ? 0 : 8
      for pixel in stride(from: 0, to: samples.count, by: 4) where samples[pixel + 3] > least {
        #expect(samples[pixel] <= least / 4 && samples[pixel + 2] > 250)
      }
    }
  }

  /// Averages as anyone would write them, rounded to bytes after each pass as vImage does.
  private func reference(_ picture: TestPicture, width: Int, passes: Int) -> TestPicture {
    var result = picture
    for _ in 0..<passes {
      let before = result
      result = TestPicture(picture.width, picture.height, bands: picture.bands) { x, y, band in
        var sum = 0
        for dy in -width / 2...width / 2 {
          for dx in -width / 2...width / 2 {
            let (column, row) = (
              min(max(x + dx, 0), before.width - 1), min(max(y + dy, 0), before.height - 1)
            )
            sum += Int(before.samples[(row * before.width + column) * before.bands + band])
          }
        }
        return (sum * 2 + width * width) / (2 * width * width)
      }
    }
    return result
  }

  @Test(arguments: [(1, 3), (3, 1), (5, 1), (5, 3), (9, 3), (31, 3)], [1, 3])
  func itAveragesSquaresAndGoesOnAtTheEdges(box: (width: Int, passes: Int), bands: Int) throws {
    let picture = TestPicture.noise(23, 11, bands: bands)
    let drawn = try Drawn(picture, [.boxBlur(width: box.width, passes: box.passes, keepsOpaque: true)])
    #expect(drawn.image.samples == reference(picture, width: box.width, passes: box.passes).samples)
  }
}
