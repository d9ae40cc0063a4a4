import Foundation
import Testing

@testable import ImageProcessing
@testable import Pictures

/// Steps that put the picture, or a part of it, into another place of a canvas.
@Suite(.timeLimit(.minutes(10))) struct PlacingTests {
  private let red = RenderStep.Color(red: 1, green: 0, blue: 0, alpha: 1)

  private func turn(_ degrees: Double, fits: Bool = true) -> RenderStep {
    let angle = degrees * .pi / 180
    return .rotation(cosine: cos(angle), sine: sin(angle), fitsCanvas: fits)
  }

  private func size(_ image: Raster) -> String { "\(image.width)x\(image.height)" }

  private func pixel(_ image: Raster, _ x: Int, _ y: Int) -> [Int] {
    let start = (y * image.width + x) * image.bands
    return image.samples[start..<start + image.bands].map(Int.init)
  }

  @Test func flippingMirrorsEachWay() throws {
    let source = TestPicture.gradient(7, 5)
    let wanted: [(Bool, Bool)] = [(true, false), (false, true), (true, true), (false, false)]
    for (horizontal, vertical) in wanted {
      let steps = [RenderStep.flip(horizontal: horizontal, vertical: vertical)]
      let result = try render(source.png(), steps).image()
      let whole = try render(source.png(), []).image()
      for y in 0..<5 {
        for x in 0..<7 {
          #expect(
            pixel(result, x, y) == pixel(whole, horizontal ? 6 - x : x, vertical ? 4 - y : y),
            "\(horizontal) \(vertical)")
        }
      }
    }
  }

  @Test func aQuarterTurnGoesAgainstTheClock() throws {
    let source = TestPicture.gradient(7, 5)
    let whole = try render(source.png(), []).image()
    let result = try render(source.png(), [turn(90)]).image()
    #expect(size(result) == "5x7")
    for y in 0..<7 {
      for x in 0..<5 { #expect(pixel(result, x, y) == pixel(whole, 6 - y, x) + [255], "\(x), \(y)") }
    }
  }

  @Test func aTurnedPictureFitsOrIsCut() throws {
    let source = TestPicture.plain(40, 20, [10, 200, 30]).png()
    let fitting = try render(source, [turn(45)]).image()
    // (40 + 20) / the root of 2
    #expect(size(fitting) == "43x43")
    #expect(pixel(fitting, 0, 0) == [0, 0, 0, 0])
    #expect(pixel(fitting, 21, 21) == [10, 200, 30, 255])
    let cut = try render(source, [turn(45, fits: false)]).image()
    #expect(size(cut) == "40x20")
    #expect(pixel(cut, 0, 0)[3] == 0)
    #expect(pixel(cut, 20, 10) == [10, 200, 30, 255])
  }

  @Test func aFullTurnChangesNothing() throws {
    let source = TestPicture.gradient(9, 6)
    let whole = try render(source.png(), []).image()
    let result = try render(source.png(), [turn(180), turn(180)]).image()
    #expect(size(result) == "9x6")
    for y in 0..<6 { for x in 0..<9 { #expect(pixel(result, x, y) == pixel(whole, x, y) + [255]) } }
  }

  @Test func aRegionTakesThePixelsThatItTouches() throws {
    let source = TestPicture.gradient(10, 8)
    let whole = try render(source.png(), []).image()
    let region = RenderStep.Region(left: 2.5, top: -3, width: 3, height: 5)
    let result = try render(source.png(), [RenderStep(region)]).image()
    #expect(size(result) == "4x2")
    #expect(pixel(result, 0, 0) == pixel(whole, 2, 0))
    #expect(pixel(result, 3, 1) == pixel(whole, 5, 1))
    #expect(throws: RenderFailure.self) {
      try render(source.png(), [.region(left: 10, top: 0, width: 3, height: 3)])
    }
  }

  @Test func aLetterboxHasMarginsThatAreTransparent() throws {
    let source = TestPicture.plain(20, 10, [1, 2, 3]).png()
    let result = try render(source, [.letterbox(width: 10, height: 10)]).image()
    #expect(size(result) == "10x10")
    #expect(pixel(result, 5, 1)[3] == 0)
    #expect(pixel(result, 5, 8)[3] == 0)
    #expect(pixel(result, 0, 5) == [1, 2, 3, 255])
    #expect(pixel(result, 9, 6) == [1, 2, 3, 255])
    // The picture ends in the middle of these pixels.
    #expect(pixel(result, 9, 2)[3] == 128)
    let exact = try render(source, [.letterbox(width: 40, height: 20)]).image()
    #expect(size(exact) == "40x20" && exact.bands == 3, "nothing is left over, nothing is clear")
    // A grey picture, and one with transparency.
    let grey = try render(TestPicture.plain(6, 3, [90]).png(), [.letterbox(width: 6, height: 6)])
      .image()
    #expect(size(grey) == "6x6")
    #expect(pixel(grey, 0, 0).last == 0)
  }

  @Test func onlyWhatIsLargerIsStretched() throws {
    let step = RenderStep.resizing(
      .init(width: 8, height: 8, contentMode: nil, scale: 1, keepsSmaller: true))
    let small = try render(TestPicture.gradient(8, 5).png(), [step]).image()
    #expect(size(small) == "8x5")
    let large = try render(TestPicture.gradient(20, 5).png(), [step]).image()
    #expect(size(large) == "8x8")
  }

  @Test func aFrameLeavesAMarginAndDrawsItsLine() throws {
    let source = TestPicture.plain(20, 16, [0, 0, 255]).png()
    let bare = try render(
      source, [.framing(inset: 3, radius: 0, corners: .all, line: nil)]
    ).image()
    #expect(pixel(bare, 2, 8)[3] == 0)
    #expect(pixel(bare, 3, 8) == [0, 0, 255, 255])
    let line = RenderStep.Framing.Line(inset: 1, width: 3, radius: 0, color: red)
    let lined = try render(
      source, [.framing(inset: 3, radius: 0, corners: .all, line: line)]
    ).image()
    #expect(pixel(lined, 0, 8)[3] == 0)
    #expect(pixel(lined, 1, 8) == [255, 0, 0, 255])
    #expect(pixel(lined, 3, 8) == [255, 0, 0, 255])
    #expect(pixel(lined, 4, 8) == [0, 0, 255, 255])
    // Margins of half the shorter side: neither the picture is left nor a line.
    for line in [nil, line] {
      let nothing = try render(source, [.framing(inset: 8, radius: 2, corners: .all, line: line)]).image()
      #expect(stride(from: 3, to: nothing.samples.count, by: 4).allSatisfy { nothing.samples[$0] == 0 })
    }
  }

  @Test(
    arguments: [
      (.sourceIn, [255, 0, 0], 255), (.sourceAtop, [255, 0, 0], 255), (.multiply, [100, 0, 0], 255),
      (.destinationOver, [100, 50, 200], 255), (.copy, [255, 0, 0], 255), (.screen, [255, 50, 200], 255),
    ] as [(RenderStep.BlendMode, [Int], Int)])
  func aColourComesUponThePicture(mode: RenderStep.BlendMode, color: [Int], alpha: Int) throws {
    let source = TestPicture.plain(4, 4, [100, 50, 200]).png()
    let result = try render(source, [.colorBlend(mode: mode, color: red)]).image()
    #expect(pixel(result, 1, 1) == color && result.bands == 3)
  }

  @Test func aColourBlendKeepsTheShape() throws {
    let source = TestPicture(4, 4, bands: 4) { x, _, band in [100, 50, 200, x < 2 ? 0 : 255][band] }.png()
    let half = RenderStep.Color(red: 1, green: 0, blue: 0, alpha: 0.5)
    let filled = try render(source, [.colorBlend(mode: .sourceIn, color: half)]).image()
    #expect(pixel(filled, 0, 0)[3] == 0)
    #expect(pixel(filled, 3, 0) == [255, 0, 0, 128])
    let over = try render(source, [.colorBlend(mode: .sourceAtop, color: half)]).image()
    #expect(pixel(over, 0, 0)[3] == 0)
    #expect(pixel(over, 3, 0) == [178, 25, 100, 255])
    let cleared = try render(source, [.colorBlend(mode: .clear, color: half)]).image()
    #expect(pixel(cleared, 3, 0)[3] == 0)
  }
}
