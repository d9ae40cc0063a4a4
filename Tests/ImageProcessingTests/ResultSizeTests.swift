import Foundation
import Testing

@testable import ImageProcessing
@testable import Pictures
@testable import Rendering

private func turn(_ degrees: Double, fits: Bool = true) -> RenderStep {
  let angle = degrees * .pi / 180
  return .rotation(cosine: cos(angle), sine: sin(angle), fitsCanvas: fits)
}

/// Small pictures whose results can be said pixel for pixel.
@Suite(.timeLimit(.minutes(10))) struct ResultSizeTests {
  /// A step on a picture, the result's width, height and bands, and some of its pixels: all bands, or alpha alone.
  struct Row: Sendable, CustomTestStringConvertible {
    var source: TestPicture
    var step: RenderStep
    var size: String
    var pixels: [([Int], [Int])]
    var testDescription: String { "\(step) on \(source.width)x\(source.height)" }

    init(_ source: TestPicture, _ step: RenderStep, _ size: String, _ pixels: [([Int], [Int])] = []) {
      (self.source, self.step, self.size, self.pixels) = (source, step, size, pixels)
    }
  }

  private static let (red, blue) = ([255, 0, 0], [0, 0, 255])
  private static let half = RenderStep.Color([255, 0, 0, 128])
  private static let sky = TestPicture.plain(20, 12, blue)
  /// The left half of it cannot be seen.
  private static let sides = TestPicture(4, 4, bands: 4) { x, _, band in
    [100, 50, 200, x < 2 ? 0 : 255][band]
  }

  private static func border(_ width: Double, _ color: RenderStep.Color = .red) -> RenderStep {
    .roundedCorners(radius: 0, border: .init(width: width, color: color))
  }

  private static func line(_ width: Double, _ color: RenderStep.Color = .red, radius: Double = 0)
    -> RenderStep
  {
    .edgeLine(width: width, color: color, radius: .pixels(radius), corners: .all)
  }

  private static func rounding(_ background: RenderStep.Color) -> RenderStep {
    .cornerRounding(radius: .pixels(8), corners: .all, target: nil, background: background)
  }

  private static func frame(_ inset: Double, radius: Double = 0, line: Bool = false) -> RenderStep {
    .framing(
      inset: inset, radius: radius, corners: .all,
      line: line ? .init(inset: 1, width: 3, radius: 0, color: .red) : nil)
  }

  private static func blur(_ width: Int, _ passes: Int, keepsOpaque: Bool = true) -> RenderStep {
    .boxBlur(width: width, passes: passes, keepsOpaque: keepsOpaque)
  }

  private static let moved: [Row] = [
    Row(
      .plain(40, 20, [10, 200, 30]), turn(45), "43x43x4", [([0, 0], [0]), ([21, 21], [10, 200, 30, 255])]),
    Row(
      .plain(40, 20, [10, 200, 30]), turn(45, fits: false), "40x20x4",
      [([0, 0], [0]), ([20, 10], [10, 200, 30, 255])]),
    // All the pixels that it touches.
    Row(
      .gradient(10, 8), .region(left: 2.5, top: -3, width: 3, height: 5), "4x2x3",
      [([0, 0], [51, 0, 128]), ([3, 1], [127, 31, 128])]),
    // The picture ends in the middle of some pixels.
    Row(
      .plain(20, 10, [1, 2, 3]), .letterbox(width: 10, height: 10), "10x10x4",
      [
        ([5, 1], [0]), ([5, 8], [0]), ([0, 5], [1, 2, 3, 255]), ([9, 6], [1, 2, 3, 255]), ([9, 2], [128]),
      ]),
    Row(.plain(20, 10, [1, 2, 3]), .letterbox(width: 40, height: 20), "40x20x3"),
    Row(.plain(6, 3, [90]), .letterbox(width: 6, height: 6), "6x6x2", [([0, 0], [0])]),
    // Only what is larger is stretched.
    Row(
      .gradient(8, 5), .resizing(.init(width: 8, height: 8, contentMode: nil, scale: 1, keepsSmaller: true)),
      "8x5x3"),
    Row(
      .gradient(20, 5), .resizing(.init(width: 8, height: 8, contentMode: nil, scale: 1, keepsSmaller: true)),
      "8x8x3"),
    Row(.plain(4, 4, [77]), .resize(2, 2), "2x2x1", [([0, 0], [77]), ([1, 1], [77])]),
  ]

  private static let shapes: [Row] = [
    Row(.plain(20, 16, blue), frame(3), "20x16x4", [([2, 8], [0]), ([3, 8], blue + [255])]),
    Row(
      .plain(20, 16, blue), frame(3, line: true), "20x16x4",
      [([0, 8], [0]), ([1, 8], red + [255]), ([3, 8], red + [255]), ([4, 8], blue + [255])]),
    // Margins of half the shorter side: neither the picture is left nor a line.
    Row(.plain(20, 16, blue), frame(8, radius: 2), "20x16x4", [([1, 8], [0]), ([10, 8], [0])]),
    Row(.plain(20, 16, blue), frame(8, radius: 2, line: true), "20x16x4", [([1, 8], [0]), ([10, 8], [0])]),
    // Half the border shows inside, and all of a line.
    Row(
      sky, border(6), "20x12x4",
      [
        ([2, 5], red + [255]), ([3, 5], blue + [255]), ([17, 5], red + [255]), ([16, 5], blue + [255]),
        ([9, 9], red + [255]), ([9, 8], blue + [255]),
      ]),
    Row(
      sky, line(3), "20x12x3",
      [([2, 5], red), ([3, 5], blue), ([17, 5], red), ([16, 5], blue), ([9, 9], red), ([9, 8], blue)]),
    Row(sky, line(0), "20x12x3", [([0, 0], blue)]),
    Row(.plain(9, 9, [50]), border(4), "9x9x4", [([0, 0], red + [255]), ([4, 4], [50, 50, 50, 255])]),
    Row(
      .plain(9, 9, blue), border(4, half), "9x9x4", [([0, 0], [128, 0, 127, 255]), ([4, 4], blue + [255])]),
    Row(.plain(9, 9, [50]), line(2), "9x9x3", [([0, 0], red), ([4, 4], [50, 50, 50])]),
    Row(.plain(9, 9, blue), line(2, half), "9x9x3", [([0, 4], [128, 0, 127])]),
    // On the diagonal the outer edge of a round line is 12 (1 - 1 / sqrt 2) = 3.5 from the corner; a radius within half
    // the line leaves it square.
    Row(
      .plain(40, 40, blue), line(4, radius: 12), "40x40x3",
      [([0, 0], blue), ([2, 2], blue), ([5, 5], red), ([20, 1], red), ([20, 5], blue)]),
    Row(
      .plain(40, 40, blue), line(8, radius: 4), "40x40x3", [([0, 0], red), ([7, 7], red), ([8, 8], blue)]),
    Row(.plain(40, 30, blue), rounding(.red), "40x30x3", [([0, 0], red), ([20, 15], blue)]),
    // 128 of blue over 128 of red: alpha 192, a third of it red.
    Row(
      .plain(40, 30, blue + [128]), rounding(half), "40x30x4",
      [([0, 0], red + [128]), ([20, 15], [85, 0, 170, 192])]),
    // A colour that weighting by alpha in 8 bits leaves as it is.
    Row(
      .plain(9, 9, [20, 40, 60, 102]), .roundedCorners(radius: 2, border: nil), "9x9x4",
      [([4, 4], [20, 40, 60, 102])]),
  ]

  private static let colors: [Row] = [
    Row(sides, .colorBlend(mode: .sourceIn, color: half), "4x4x4", [([0, 0], [0]), ([3, 0], red + [128])]),
    Row(
      sides, .colorBlend(mode: .sourceAtop, color: .init(red: 1, green: 0, blue: 0, alpha: 0.5)), "4x4x4",
      [([0, 0], [0]), ([3, 0], [178, 25, 100, 255])]),
    Row(sides, .colorBlend(mode: .clear, color: half), "4x4x4", [([3, 0], [0])]),
    Row(
      .plain(2, 2, [10, 20, 30]), .blend(mode: .normal, alpha: 0.5, background: nil), "2x2x4",
      [([0, 0], [128])]
    ),
    // Red that cannot be seen beside blue that can.
    Row(
      TestPicture(20, 4, bands: 4) { x, _, band in (x < 10 ? red + [0] : blue + [255])[band] }, blur(5, 1),
      "20x4x4", [([9, 1], blue + [102]), ([7, 1], [0]), ([12, 1], blue + [255])]),
    Row(.gradient(9, 9), blur(3, 3), "9x9x3"),
    Row(.gradient(9, 9), blur(3, 3, keepsOpaque: false), "9x9x4", [([0, 0], [255])]),
    // The widest box does not overflow.
    Row(.plain(3, 2, [255, 254, 1]), blur(2901, 3), "3x2x3", [([1, 1], [255, 254, 1])]),
  ]

  private static let blends: [Row] = [
    (RenderStep.BlendMode.sourceIn, red), (.sourceAtop, red), (.multiply, [100, 0, 0]),
    (.destinationOver, [100, 50, 200]), (.copy, red), (.screen, [255, 50, 200]),
  ].map { Row(.plain(4, 4, [100, 50, 200]), .colorBlend(mode: $0, color: .red), "4x4x3", [([1, 1], $1)]) }

  @Test(arguments: moved + shapes + colors + blends) func aStepDrawsWhatItSays(row: Row) throws {
    let image = try render(row.source.png(), [row.step]).image()
    #expect("\(image.size)x\(image.bands)" == row.size)
    for (at, wanted) in row.pixels {
      let pixel = image.pixel(at[0], at[1])
      #expect(isNear(Array(pixel.suffix(wanted.count)), wanted), "\(pixel) at \(at)")
    }
  }

  @Test func pixelsMoveWithoutChange() throws {
    let source = TestPicture.gradient(7, 5)
    let whole = try source.raster()
    let rows: [([RenderStep], String, (_ x: Int, _ y: Int) -> (Int, Int))] = [
      ([.flip(horizontal: true, vertical: false)], "7x5", { (6 - $0, $1) }),
      ([.flip(horizontal: false, vertical: true)], "7x5", { ($0, 4 - $1) }),
      ([.flip(horizontal: true, vertical: true)], "7x5", { (6 - $0, 4 - $1) }),
      ([.flip(horizontal: false, vertical: false)], "7x5", { ($0, $1) }),
      // Against the clock.
      ([turn(90)], "5x7", { (6 - $1, $0) }), ([turn(180), turn(180)], "7x5", { ($0, $1) }),
    ]
    for (steps, size, place) in rows {
      let result = try render(source.png(), steps).image()
      #expect(result.size == size)
      for y in 0..<result.height {
        for x in 0..<result.width {
          let from = place(x, y)
          let wanted = whole.pixel(from.0, from.1) + (result.hasAlpha ? [255] : [])
          #expect(result.pixel(x, y) == wanted, "\(steps) at \(x), \(y)")
        }
      }
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

  @Test(arguments: [
    (1000, 1, RenderStep.resize(10, 10, .aspectFit), RenderLimits(), RenderFailure.Code.size),
    (9, 9, .resize(.nan, 10), RenderLimits(), .size),
    (10, 8, .region(left: 10, top: 0, width: 3, height: 3), RenderLimits(), .size),
    (9, 9, .circle(border: nil), RenderLimits(seconds: 0), .timeout),
  ])
  func whatCannotBeDrawnIsNamed(
    width: Int, height: Int, step: RenderStep, limits: RenderLimits, code: RenderFailure.Code
  ) {
    #expect(
      failure { try render(TestPicture.plain(width, height, [9]).png(), [step], limits: limits) } == code)
  }

  @Test func aResultBeyondTheLimitsFailsAndTheOthersDoNot() throws {
    let limits = RenderLimits(maxPixels: 20_000, maxSide: 1000)
    let outputs = [RenderStep.resize(200, 200, upscale: true), .resize(20, 20)].map {
      RenderOutput(steps: [$0], encoding: .png)
    }
    let (answer, payloads) = ImageRenderer.render(
      RenderRequest(outputs: outputs, limits: limits), TestPicture.gradient(90, 90).png())
    #expect(answer.outputs.map { $0.failure?.code } == [.limit, nil] && payloads.count == 1)
  }
}
