import Testing

@testable import Pictures

@Suite(.timeLimit(.minutes(10))) struct PointGeometryTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var source: (Int, Int)
    var reference: (Double, Double)
    var scale = 1.0
    var none: (Int, Int)?
    var fit: (Int, Int)?
    var fill: (Int, Int)?
    var testDescription: String { "\(source) to \(reference) at \(scale)" }
  }

  static let rows: [Row] = [
    Row(source: (300, 200), reference: (100, 100), none: (100, 100), fit: (100, 67), fill: (150, 100)),
    Row(source: (200, 300), reference: (100, 100), none: (100, 100), fit: (67, 100), fill: (100, 150)),
    Row(source: (50, 50), reference: (100, 80), none: (100, 80), fit: (80, 80), fill: (100, 100)),
    Row(source: (1000, 333), reference: (120, 120), none: (120, 120), fit: (120, 40), fill: (360, 120)),
    Row(source: (1, 1000), reference: (10, 10), none: (10, 10), fit: nil, fill: (10, 10000)),
    // The fraction of a pixel still takes one.
    Row(
      source: (240, 161), reference: (33.5, 33.5), scale: 2, none: (67, 67), fit: (67, 44), fill: (100, 67)),
    Row(source: (120, 80), reference: (33.5, 33.5), none: (34, 34), fit: (34, 22), fill: (50, 34)),
    Row(source: (4032, 3024), reference: (375, 211), none: (375, 211), fit: (281, 211), fill: (375, 281)),
    // Rounded in points, then scaled: 67 points, not 200 pixels.
    Row(
      source: (300, 200), reference: (100, 100), scale: 3, none: (300, 300), fit: (300, 201), fill: (450, 300)
    ),
    // 33.3 x 3 = 99.89999999999999 and 66.7 x 3 = 200.10000000000002.
    Row(
      source: (10, 10), reference: (33.3, 66.7), scale: 3, none: (100, 201), fit: (100, 99), fill: (201, 201)),
    // 1.1 x 10 = 11.000000000000002: noise.
    Row(source: (10, 10), reference: (1.1, 2.2), scale: 10, none: (11, 22), fit: (11, 10), fill: (20, 22)),
    Row(source: (10, 10), reference: (0, 10), none: nil, fit: nil, fill: (10, 10)),
  ]

  @Test(arguments: rows) func resizingArrivesAtTheClientsSizes(row: Row) {
    for (mode, expected) in [(nil, row.none), (.aspectFit, row.fit), (.aspectFill, row.fill)]
      as [(RenderStep.ContentMode?, (Int, Int)?)]
    {
      let step = RenderStep.Resizing(
        width: row.reference.0, height: row.reference.1, contentMode: mode, scale: row.scale)
      let size = try? step.size(of: row.source)
      #expect(
        size.map { [$0.width, $0.height] } == expected.map { [$0.0, $0.1] }, "\(String(describing: mode))")
    }
  }

  /// Placed by the anchor, scaled, inside of the picture, and with every pixel that is touched; nothing is left of nothing.
  @Test(
    arguments: [
      ((100, 60), (80, 80), (0.5, 0.5), 1, [10, 0, 80, 60]),
      ((100, 100), (20, 20), (1, 1), 1, [80, 80, 20, 20]),
      ((100, 100), (20, 20), (0, 0), 1, [0, 0, 20, 20]), ((100, 100), (20, 20), (7, -7), 1, [80, 0, 20, 20]),
      ((100, 50), (500, 500), (0.5, 0.5), 1, [0, 0, 100, 50]),
      ((300, 300), (20, 20), (1, 1), 3, [240, 240, 60, 60]),
      // 39.75 to 60.25.
      ((100, 100), (20.5, 20.5), (0.5, 0.5), 1, [39, 39, 22, 22]),
      // (100 - 33.3) / 2 = 33.35 points: 100.05 to 199.95 pixels.
      ((300, 300), (33.3, 33.3), (0.5, 0.5), 3, [100, 100, 100, 100]),
      // 0.1 x 3 is a little more than 0.3: no reason to take a row more.
      ((30, 30), (1, 1), (0.1, 0.1), 3, [2, 2, 4, 4]),
      ((300, 300), (10, 10), (0.7, 0.7), 3, [189, 189, 30, 30]),
      ((100, 100), (0, 10), (0.5, 0.5), 1, nil), ((100, 100), (10, -10), (0.5, 0.5), 1, nil),
      ((100, 100), (.nan, 10), (0.5, 0.5), 1, nil),
    ] as [((Int, Int), (Double, Double), (Double, Double), Double, [Int]?)])
  func croppingTakesWhatItTouches(
    source: (Int, Int), size: (Double, Double), anchor: (Double, Double), scale: Double, wanted: [Int]?
  ) {
    let step = RenderStep.Cropping(
      width: size.0, height: size.1, anchorX: anchor.0, anchorY: anchor.1, scale: scale)
    let part = step.part(of: source)
    let isDrawn = (try? step.size(of: source)) != nil
    #expect((isDrawn ? [part.left, part.top, part.width, part.height] : nil) == wanted)
  }

  private func rectangle(_ step: RenderStep, of source: PixelSize) throws -> [Double] {
    let placement = try #require(try step.value.placement(of: source)).drawn(by: .libvips)
    return [placement.x, placement.y, placement.width, placement.height]
  }

  @Test func edgesGoToTheNearestPixelAndACanvasStaysCovered() throws {
    let (resize, resizing) = (RenderStep.Resize.self, RenderStep.Resizing.self)
    let fill = RenderStep(
      resize.init(
        width: 300, height: 300, contentMode: .aspectFill, crop: true, upscale: false, cropEnlarges: false))
    #expect(try rectangle(fill, of: (1000, 703)) == [-63, 0, 426, 300])
    // 20.1 pixels are a bitmap of 21.
    let exactly = RenderStep(resizing.init(width: 33.5, height: 20.1, contentMode: nil, scale: 1))
    #expect(try rectangle(exactly, of: (64, 64)) == [0, 0, 34, 21])
    #expect(try rectangle(.letterbox(width: 40, height: 41), of: (100, 64)) == [0, 8, 40, 25])
    // What is left free is not less than a pixel.
    #expect(try rectangle(.letterbox(width: 40, height: 40.5), of: (100, 100)) == [0, 0, 40, 41])
  }

  @Test func theDeviceKeepsItsFractions() throws {
    let placement = try #require(
      try RenderStep.letterbox(width: 40, height: 41).value.placement(of: (100, 64)))
    #expect(try placement.drawn(by: .device).y == placement.y)
  }

  @Test func aTurnedRectangleIsTheSameInWholePixels() throws {
    let upright = try #require(try RenderStep.letterbox(width: 40, height: 41).value.placement(of: (100, 64)))
      .drawn(by: .libvips)
    for orientation in 1...8 {
      let stored = upright.stored(orientation: orientation)
      #expect([stored.x, stored.y].allSatisfy { $0 == $0.rounded() })
      #expect(stored.width * stored.height == upright.width * upright.height && stored.drawing == .libvips)
    }
  }

  @Test func whatLibvipsHasNoSizeForIsRefused() throws {
    let fill = RenderStep.Resize(
      width: 1000, height: 1000, contentMode: .aspectFill, crop: true, upscale: true, cropEnlarges: true)
    let placement = try #require(try fill.placement(of: (1, 65_535)))
    #expect(throws: RenderFailure.self) { try placement.drawn(by: .libvips) }
  }
}
