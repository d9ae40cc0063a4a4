import Testing

@testable import ImageProcessing
@testable import Pictures

@Suite(.timeLimit(.minutes(10))) struct CornerTests {
  private func rounding(
    _ radius: RenderStep.Radius, _ corners: RenderStep.Corners = .all, target: (Double, Double)? = nil,
    scale: Double = 1, background: RenderStep.Color? = nil
  ) -> RenderStep {
    let target = target.map {
      RenderStep.Resizing(width: $0.0, height: $0.1, contentMode: nil, scale: scale)
    }
    return .cornerRounding(
      radius: radius, corners: corners, target: target, background: background)
  }

  private func line(
    _ width: Double, _ color: RenderStep.Color = .red, radius: RenderStep.Radius = .pixels(0),
    _ corners: RenderStep.Corners = .all
  ) -> RenderStep {
    .edgeLine(width: width, color: color, radius: radius, corners: corners)
  }

  @Test(arguments: 0..<16) func onlyTheNamedCornersAreRound(bits: Int) throws {
    let corners = RenderStep.Corners(rawValue: bits)
    let drawn = try Drawn(.plain(40, 30, [9, 9, 9]), [rounding(.pixels(8), corners)])
    for (corner, x, y) in [
      (RenderStep.Corners.topLeft, 0, 0), (.topRight, 39, 0), (.bottomLeft, 0, 29), (.bottomRight, 39, 29),
    ] {
      #expect(drawn.alpha(x, y) == (corners.contains(corner) ? 0 : 255))
    }
    #expect(drawn.alpha(20, 0) == 255 && drawn.alpha(0, 15) == 255)
    #expect(drawn.pixel(20, 15).prefix(3) == [9, 9, 9] && drawn.alpha(20, 15) == 255)
  }

  @Test func allCornersHaveTheSameShape() throws {
    let drawn = try Drawn(.plain(40, 30, [9, 9, 9]), [rounding(.pixels(8))])
    for y in 0..<15 {
      for x in 0..<20 {
        let alpha = drawn.alpha(x, y)
        #expect(drawn.alpha(39 - x, y) == alpha && drawn.alpha(x, 29 - y) == alpha)
        #expect(drawn.alpha(39 - x, 29 - y) == alpha)
        if x < 15 { #expect(abs(drawn.alpha(y, x) - alpha) <= 1) }
      }
    }
  }

  @Test(arguments: [
    (RenderStep.Radius.widthFraction(0.25), 10.0), (.heightFraction(0.5), 15), (.widthFraction(7), 15),
    (.pixels(-3), 0),
  ])
  func radiiAreFractionsOfTheShapeAndAtMostHalfOfIt(radius: RenderStep.Radius, pixels: Double) throws {
    let picture = TestPicture.plain(40, 30, [9, 9, 9])
    let drawn = try Drawn(picture, [rounding(radius)])
    #expect(try drawn.image.samples == Drawn(picture, [rounding(.pixels(pixels))]).image.samples)
  }

  @Test func aTargetIsFilledExactlyAndItsSizeCountsForFractions() throws {
    let steps = [rounding(.widthFraction(0.5), target: (20, 20), scale: 2)]
    let drawn = try Drawn(.plain(300, 100, [9, 9, 9]), steps)
    #expect((drawn.image.width, drawn.image.height) == (40, 40))
    // A circle of radius 20: the corner's diagonal enters it 5.86 pixels from the corner.
    #expect(drawn.alpha(4, 4) == 0 && drawn.alpha(7, 7) == 255 && drawn.alpha(1, 20) == 255)
    let right = try Drawn(
      TestPicture(300, 100) { x, _, _ in x < 150 ? 0 : 255 }, [rounding(.pixels(0), target: (20, 20))])
    #expect(right.pixel(2, 10)[0] < 5 && right.pixel(17, 10)[0] > 250)
  }

  @Test func anOpaqueBackgroundShowsInTheCornersAndLeavesNoAlpha() throws {
    let drawn = try Drawn(.plain(40, 30, [0, 0, 255]), [rounding(.pixels(8), background: .red)])
    #expect(drawn.image.bands == 3)
    #expect(drawn.pixel(0, 0) == [255, 0, 0] && drawn.pixel(20, 15) == [0, 0, 255])
  }

  @Test(arguments: [(RenderStep.Radius.pixels(8), 0), (.pixels(0), 15), (.pixels(-3), 15)])
  func whatRoundsNothingAddsNoAlpha(radius: RenderStep.Radius, bits: Int) throws {
    let corners = RenderStep.Corners(rawValue: bits)
    for background in [nil, RenderStep.Color([255, 0, 0, 128])] {
      let steps = [rounding(radius, corners, background: background)]
      #expect(try Drawn(.plain(40, 30, [9, 9, 9]), steps).image.bands == 3)
      #expect(try Drawn(.plain(40, 30, [9, 9, 9, 100]), steps).image.bands == 4)
    }
  }

  @Test func aTranslucentBackgroundIsMixedUnderATranslucentPicture() throws {
    let background = RenderStep.Color([255, 0, 0, 128])
    let drawn = try Drawn(.plain(40, 30, [0, 0, 255, 128]), [rounding(.pixels(8), background: background)])
    #expect(isNear(drawn.pixel(0, 0), [255, 0, 0, 128]))
    // 128 of blue over 128 of red: alpha 192, a third of it red.
    #expect(isNear(drawn.pixel(20, 15), [85, 0, 170, 192]))
  }

  @Test func aLineLiesInsideTheEdge() throws {
    let drawn = try Drawn(.plain(20, 12, [0, 0, 255]), [line(3)])
    let expected = TestPicture(20, 12) { x, y, band in
      let isLine = x < 3 || x >= 17 || y < 3 || y >= 9
      return (isLine ? [255, 0, 0] : [0, 0, 255])[band]
    }
    #expect(drawn.image.samples == expected.samples)
  }

  /// On the diagonal the outer edge of a round line is 12 (1 - 1 / sqrt 2) = 3.5 from the corner; a radius within half the
  /// line leaves it square.
  @Test(
    arguments: [
      (9, [50], 2, 0.0, [255, 0, 0], [([0, 0], true), ([4, 4], false)]),
      (
        40, [0, 0, 255], 4, 12, [255, 0, 0],
        [
          ([0, 0], false), ([2, 2], false), ([5, 5], true), ([20, 1], true), ([20, 5], false),
        ]
      ),
      (40, [0, 0, 255], 8, 4, [255, 0, 0], [([0, 0], true), ([7, 7], true), ([8, 8], false)]),
      (9, [0, 0, 255], 2, 0, [255, 0, 0, 128], [([0, 4], true)]),
    ] as [(Int, [Int], Double, Double, [Int], [([Int], Bool)])])
  func aLineShowsWhereItIs(
    side: Int, picture: [Int], width: Double, radius: Double, color: [Int], places: [([Int], Bool)]
  ) throws {
    let step = line(width, RenderStep.Color(color), radius: .pixels(radius))
    let drawn = try Drawn(.plain(side, side, picture), [step])
    let under = picture.count == 1 ? picture + picture + picture : picture
    for (at, isLine) in places {
      let wanted = !isLine ? under : color.count == 3 ? color : [128, 0, 127]
      #expect(isNear(drawn.pixel(at[0], at[1]), wanted, by: color.count == 3 ? 0 : 1), "\(at)")
    }
  }

  @Test func aLineWithoutWidthIsNone() throws {
    let picture = TestPicture.gradient(9, 9)
    #expect(try Drawn(picture, [line(0)]).image.samples == picture.samples)
  }
}
