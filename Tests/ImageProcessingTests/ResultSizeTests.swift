import Testing

@testable import ImageProcessing
@testable import Pictures
@testable import Rendering

@Suite(.timeLimit(.minutes(10))) struct ResultSizeTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var source: (Int, Int)
    var steps: [RenderStep]
    var result: (Int, Int)
    var testDescription: String { "\(source) \(steps) -> \(result)" }
  }

  static let rows: [Row] = [
    Row(source: (640, 480), steps: [.resize(100, 100)], result: (133, 100)),
    Row(source: (640, 480), steps: [.resize(100, 100, .aspectFit)], result: (100, 75)),
    Row(source: (640, 480), steps: [.resize(100, 100, crop: true)], result: (100, 100)),
    Row(source: (640, 480), steps: [.resize(99.9, 99.9, crop: true)], result: (99, 99)),
    Row(source: (64, 48), steps: [.resize(200, 200)], result: (64, 48)),
    Row(source: (64, 48), steps: [.resize(200, 200, upscale: true)], result: (267, 200)),
    Row(source: (64, 48), steps: [.resize(200, 100, crop: true)], result: (64, 32)),
    Row(source: (64, 48), steps: [.resize(200, 100, crop: true, cropEnlarges: true)], result: (200, 100)),
    Row(source: (1000, 10), steps: [.resize(50, 9999, .aspectFit)], result: (50, 1)),
    Row(source: (301, 200), steps: [.circle(border: nil)], result: (200, 200)),
    Row(source: (301, 200), steps: [.wideCircle(border: nil)], result: (201, 200)),
    Row(source: (200, 301), steps: [.wideCircle(border: nil)], result: (200, 201)),
    Row(source: (300, 200), steps: [.wideCircle(border: nil)], result: (200, 200)),
    Row(source: (301, 200), steps: [.roundedCorners(radius: 9, border: nil)], result: (301, 200)),
    Row(source: (301, 200), steps: [.gaussianBlur(radius: 90, keepsOpaque: true)], result: (301, 200)),
    Row(source: (301, 200), steps: [.thumbnail(100)], result: (100, 66)),
    Row(source: (301, 200), steps: [.thumbnail(1000)], result: (301, 200)),
    Row(source: (301, 200), steps: [.resize(150, 150), .circle(border: nil)], result: (150, 150)),
    Row(source: (300, 200), steps: [.resizing(100, 100)], result: (100, 100)),
    Row(source: (300, 200), steps: [.resizing(100, 100, .aspectFit)], result: (100, 67)),
    Row(source: (300, 200), steps: [.resizing(100, 100, .aspectFill)], result: (150, 100)),
    Row(source: (64, 48), steps: [.resizing(200, 200, .aspectFit)], result: (200, 150)),
    // A thumbnail behind another step is one, too.
    Row(source: (301, 200), steps: [.resizing(150, 150), .thumbnail(100)], result: (100, 100)),
    Row(
      source: (301, 200),
      steps: [.cropping(width: 50, height: 90, anchorX: 1, anchorY: 0.5, scale: 2)], result: (100, 180)
    ),
    Row(source: (3, 3), steps: [.resize(1, 1)], result: (1, 1)),
    Row(source: (1, 1), steps: [.gaussianBlur(radius: 400, keepsOpaque: true)], result: (1, 1)),
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
    let shrunk = try render(try picture.jpeg(quality: 100), [.resize(side, side)]).image()
    let whole = try render(picture.png(), [.resize(side, side)]).image()
    let worst = zip(shrunk.samples, whole.samples).map { abs(Int($0) - Int($1)) }.max() ?? 255
    // The gradient rises by 255 over the side: half a pixel, and what JPEG costs.
    #expect(Double(worst) <= 0.5 * 255 / side + 4)
  }

  @Test func aCropShowsTheMiddle() throws {
    let picture = TestPicture(300, 100) { x, _, _ in x < 100 ? 0 : x < 200 ? 120 : 255 }
    let result = try render(picture.png(), [.resize(50, 50, crop: true)]).image()
    let middle = result.samples.enumerated().filter { (3..<47).contains($0.offset / 3 % 50) }
    #expect(middle.allSatisfy { abs(Int($0.element) - 120) <= 1 })
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
}
