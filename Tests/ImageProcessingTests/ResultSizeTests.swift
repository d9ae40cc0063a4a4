import Foundation
import Testing

@testable import ImageProcessing
@testable import Pictures
@testable import Rendering

/// Steps that put the picture, or a part of it, into another place of a canvas.
@Suite(.timeLimit(.minutes(10))) struct ResultSizeTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var source: (Int, Int)
    var steps: [RenderStep]
    var result: (Int, Int)
    var testDescription: String { "\(source) \(steps) -> \(result)" }

    init(_ source: (Int, Int), _ steps: [RenderStep], _ result: (Int, Int)) {
      (self.source, self.steps, self.result) = (source, steps, result)
    }
  }

  static let rows: [Row] = [
    Row((640, 480), [.resize(100, 100)], (133, 100)),
    Row((640, 480), [.resize(100, 100, .aspectFit)], (100, 75)),
    Row((640, 480), [.resize(100, 100, crop: true)], (100, 100)),
    Row((640, 480), [.resize(99.9, 99.9, crop: true)], (99, 99)),
    Row((64, 48), [.resize(200, 200)], (64, 48)),
    Row((64, 48), [.resize(200, 200, upscale: true)], (267, 200)),
    Row((64, 48), [.resize(200, 100, crop: true)], (64, 32)),
    Row((64, 48), [.resize(200, 100, crop: true, cropEnlarges: true)], (200, 100)),
    Row((1000, 10), [.resize(50, 9999, .aspectFit)], (50, 1)),
    Row((301, 200), [.circle(border: nil)], (200, 200)),
    Row((301, 200), [.wideCircle(border: nil)], (201, 200)),
    Row((200, 301), [.wideCircle(border: nil)], (200, 201)),
    Row((300, 200), [.wideCircle(border: nil)], (200, 200)),
    Row((301, 200), [.roundedCorners(radius: 9, border: nil)], (301, 200)),
    Row((301, 200), [.gaussianBlur(radius: 90, keepsOpaque: true)], (301, 200)),
    Row((301, 200), [.thumbnail(100)], (100, 66)),
    Row((301, 200), [.thumbnail(1000)], (301, 200)),
    Row((301, 200), [.resize(150, 150), .circle(border: nil)], (150, 150)),
    Row((300, 200), [.resizing(100, 100)], (100, 100)),
    Row((300, 200), [.resizing(100, 100, .aspectFit)], (100, 67)),
    Row((300, 200), [.resizing(100, 100, .aspectFill)], (150, 100)),
    Row((64, 48), [.resizing(200, 200, .aspectFit)], (200, 150)),
    // A thumbnail behind another step is one, too.
    Row((301, 200), [.resizing(150, 150), .thumbnail(100)], (100, 100)),
    Row((301, 200), [.cropping(width: 50, height: 90, anchorX: 1, anchorY: 0.5, scale: 2)], (100, 180)),
    Row((3, 3), [.resize(1, 1)], (1, 1)),
    Row((1, 1), [.gaussianBlur(radius: 400, keepsOpaque: true)], (1, 1)),
  ]

  @Test(arguments: rows) func resultsHaveTheSizeThatTheStepsAskFor(row: Row) throws {
    let picture = TestPicture.gradient(row.source.0, row.source.1)
    for bytes in [picture.png(), try picture.jpeg()] {
      let result = try render(bytes, row.steps)
      let header = try ImageHeader.read(result.bytes)
      #expect((result.width, result.height) == row.result)
      #expect((header.width, header.height) == row.result)
    }
  }

  @Test(arguments: [(503, 509, 30.0), (701, 501, 80), (640, 480, 150), (700, 333, 44)])
  func whatAJPEGDecoderLeavesOutDoesNotShowInTheResult(width: Int, height: Int, side: Double) throws {
    let picture = TestPicture.gradient(width, height)
    let target = RenderStep.Resizing(width: side, height: side, contentMode: nil, scale: 1)
    for step in [
      RenderStep.resize(side, side), .resizing(target),
      .cornerRounding(radius: .pixels(9), corners: .all, target: target, background: .white),
    ] {
      let shrunk = try render(try picture.jpeg(quality: 100), [step]).image()
      let whole = try render(picture.png(), [step]).image()
      #expect(shrunk.size == whole.size)
      let worst = zip(shrunk.samples, whole.samples).map { abs(Int($0) - Int($1)) }.max() ?? 255
      // The gradient rises by 255 over the side: half a pixel, and what JPEG costs.
      #expect(Double(worst) <= 0.5 * 255 / side + 4, "\(step)")
    }
  }

  @Test func aStepThatLeavesNoPixelFails() {
    #expect(
      failure { try render(TestPicture.plain(1000, 1, [9]).png(), [.resize(10, 10, .aspectFit)]) } == .size)
    #expect(failure { try render(TestPicture.plain(9, 9, [9]).png(), [.resize(.nan, 10)]) } == .size)
  }

  @Test func aResultBeyondTheLimitsFailsAndTheOthersDoNot() throws {
    let limits = RenderLimits(maxPixels: 20_000, maxSide: 1000)
    let request = RenderRequest(
      outputs: [
        .init(steps: [.resize(200, 200, upscale: true)], encoding: .png),
        .init(steps: [.resize(20, 20)], encoding: .png),
      ], limits: limits)
    let (answer, payloads) = ImageRenderer.render(request, TestPicture.gradient(90, 90).png())
    guard case .failed(let failure) = answer.outputs[0], case .encoded = answer.outputs[1] else {
      Issue.record("\(answer)")
      return
    }
    #expect(failure.code == .limit)
    #expect(payloads.count == 1)
  }

  @Test func timeThatIsUpIsSaid() {
    let limits = RenderLimits(seconds: 0)
    #expect(failure { try render(TestPicture.plain(9, 9, [9]).png(), [], limits: limits) } == .timeout)
  }

  private func turn(_ degrees: Double, fits: Bool = true) -> RenderStep {
    let angle = degrees * .pi / 180
    return .rotation(cosine: cos(angle), sine: sin(angle), fitsCanvas: fits)
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
            result.pixel(x, y) == whole.pixel(horizontal ? 6 - x : x, vertical ? 4 - y : y),
            "\(horizontal) \(vertical)")
        }
      }
    }
  }

  @Test func aQuarterTurnGoesAgainstTheClock() throws {
    let source = TestPicture.gradient(7, 5)
    let whole = try render(source.png(), []).image()
    let result = try render(source.png(), [turn(90)]).image()
    #expect(result.size == "5x7")
    for y in 0..<7 {
      for x in 0..<5 { #expect(result.pixel(x, y) == whole.pixel(6 - y, x) + [255], "\(x), \(y)") }
    }
  }

  @Test func aTurnedPictureFitsOrIsCut() throws {
    let source = TestPicture.plain(40, 20, [10, 200, 30]).png()
    let fitting = try render(source, [turn(45)]).image()
    // (40 + 20) / the root of 2
    #expect(fitting.size == "43x43")
    #expect(fitting.pixel(0, 0) == [0, 0, 0, 0])
    #expect(fitting.pixel(21, 21) == [10, 200, 30, 255])
    let cut = try render(source, [turn(45, fits: false)]).image()
    #expect(cut.size == "40x20")
    #expect(cut.pixel(0, 0)[3] == 0)
    #expect(cut.pixel(20, 10) == [10, 200, 30, 255])
  }

  @Test func aFullTurnChangesNothing() throws {
    let source = TestPicture.gradient(9, 6)
    let whole = try render(source.png(), []).image()
    let result = try render(source.png(), [turn(180), turn(180)]).image()
    #expect(result.size == "9x6")
    for y in 0..<6 { for x in 0..<9 { #expect(result.pixel(x, y) == whole.pixel(x, y) + [255]) } }
  }

  @Test func aRegionTakesThePixelsThatItTouches() throws {
    let source = TestPicture.gradient(10, 8)
    let whole = try render(source.png(), []).image()
    let region = RenderStep.Region(left: 2.5, top: -3, width: 3, height: 5)
    let result = try render(source.png(), [RenderStep(region)]).image()
    #expect(result.size == "4x2")
    #expect(result.pixel(0, 0) == whole.pixel(2, 0))
    #expect(result.pixel(3, 1) == whole.pixel(5, 1))
    #expect(throws: RenderFailure.self) {
      try render(source.png(), [.region(left: 10, top: 0, width: 3, height: 3)])
    }
  }

  @Test func aLetterboxHasMarginsThatAreTransparent() throws {
    let source = TestPicture.plain(20, 10, [1, 2, 3]).png()
    let result = try render(source, [.letterbox(width: 10, height: 10)]).image()
    #expect(result.size == "10x10")
    #expect(result.pixel(5, 1)[3] == 0)
    #expect(result.pixel(5, 8)[3] == 0)
    #expect(result.pixel(0, 5) == [1, 2, 3, 255])
    #expect(result.pixel(9, 6) == [1, 2, 3, 255])
    // The picture ends in the middle of these pixels.
    #expect(result.pixel(9, 2)[3] == 128)
    let exact = try render(source, [.letterbox(width: 40, height: 20)]).image()
    #expect(exact.size == "40x20" && exact.bands == 3, "nothing is left over, nothing is clear")
    // A grey picture, and one with transparency.
    let grey = try render(TestPicture.plain(6, 3, [90]).png(), [.letterbox(width: 6, height: 6)])
      .image()
    #expect(grey.size == "6x6")
    #expect(grey.pixel(0, 0).last == 0)
  }

  @Test func onlyWhatIsLargerIsStretched() throws {
    let step = RenderStep.resizing(
      .init(width: 8, height: 8, contentMode: nil, scale: 1, keepsSmaller: true))
    let small = try render(TestPicture.gradient(8, 5).png(), [step]).image()
    #expect(small.size == "8x5")
    let large = try render(TestPicture.gradient(20, 5).png(), [step]).image()
    #expect(large.size == "8x8")
  }

  @Test func aFrameLeavesAMarginAndDrawsItsLine() throws {
    let source = TestPicture.plain(20, 16, [0, 0, 255]).png()
    let bare = try render(
      source, [.framing(inset: 3, radius: 0, corners: .all, line: nil)]
    ).image()
    #expect(bare.pixel(2, 8)[3] == 0)
    #expect(bare.pixel(3, 8) == [0, 0, 255, 255])
    let line = RenderStep.Framing.Line(inset: 1, width: 3, radius: 0, color: .red)
    let lined = try render(
      source, [.framing(inset: 3, radius: 0, corners: .all, line: line)]
    ).image()
    #expect(lined.pixel(0, 8)[3] == 0)
    #expect(lined.pixel(1, 8) == [255, 0, 0, 255])
    #expect(lined.pixel(3, 8) == [255, 0, 0, 255])
    #expect(lined.pixel(4, 8) == [0, 0, 255, 255])
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
    let result = try render(source, [.colorBlend(mode: mode, color: .red)]).image()
    #expect(result.pixel(1, 1) == color && result.bands == 3)
  }

  @Test func aColourBlendKeepsTheShape() throws {
    let source = TestPicture(4, 4, bands: 4) { x, _, band in [100, 50, 200, x < 2 ? 0 : 255][band] }.png()
    let half = RenderStep.Color(red: 1, green: 0, blue: 0, alpha: 0.5)
    let filled = try render(source, [.colorBlend(mode: .sourceIn, color: half)]).image()
    #expect(filled.pixel(0, 0)[3] == 0)
    #expect(filled.pixel(3, 0) == [255, 0, 0, 128])
    let over = try render(source, [.colorBlend(mode: .sourceAtop, color: half)]).image()
    #expect(over.pixel(0, 0)[3] == 0)
    #expect(over.pixel(3, 0) == [178, 25, 100, 255])
    let cleared = try render(source, [.colorBlend(mode: .clear, color: half)]).image()
    #expect(cleared.pixel(3, 0)[3] == 0)
  }
}
