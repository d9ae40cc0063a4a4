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

  @Test(arguments: [(RenderStep.Radius.pixels(8), 0), (.pixels(0), 15), (.pixels(-3), 15)])
  func whatRoundsNothingAddsNoAlpha(radius: RenderStep.Radius, bits: Int) throws {
    let corners = RenderStep.Corners(rawValue: bits)
    for background in [nil, RenderStep.Color([255, 0, 0, 128])] {
      let steps = [rounding(radius, corners, background: background)]
      #expect(try Drawn(.plain(40, 30, [9, 9, 9]), steps).image.bands == 3)
      #expect(try Drawn(.plain(40, 30, [9, 9, 9, 100]), steps).image.bands == 4)
    }
  }
}
