import Testing

@testable import Pictures

/// What a plan says cannot be drawn has to be what a worker cannot draw, and nothing else.
@Suite(.timeLimit(.minutes(10))) struct ObstacleTests {
  static let sides = [-5.0, -0.5, 0, 1, 7.5, 400]
  static let pictures = [(1, 1), (1, 900), (900, 1), (64, 48), (2000, 3000)]

  /// Whether any of some pictures gets through.
  private func draws(_ step: some DrawingStep) -> Bool {
    Self.pictures.contains { (try? step.size(of: $0)) != nil }
  }

  @Test(arguments: sides, sides) func aResizeIsRefusedAsAWorkerRefusesIt(width: Double, height: Double) {
    for mode in [RenderStep.ContentMode.aspectFill, .aspectFit] {
      for (crop, upscale, enlarges) in [(false, false, false), (true, false, true), (true, true, false)] {
        let step = RenderStep.Resize(
          width: width, height: height, contentMode: mode, crop: crop, upscale: upscale,
          cropEnlarges: enlarges)
        let isDrawn = draws(step)
        #expect((RenderStep(step).obstacle == nil) == isDrawn, "\(step)")
      }
      let size = RenderStep.Thumbnail.Size.flexible(width: width, height: height, contentMode: mode)
      let thumbnail = RenderStep.Thumbnail(size: size, fromImageIfAbsent: true, fromImageAlways: true)
      let isDrawn = draws(thumbnail)
      #expect((RenderStep(thumbnail).obstacle == nil) == isDrawn, "\(size)")
    }
  }

  @Test(arguments: sides, sides) func sizesInPointsAreRefusedAsAWorkerRefusesThem(
    width: Double, height: Double
  ) {
    for mode in [RenderStep.ContentMode.aspectFill, .aspectFit, nil] {
      let step = RenderStep.Resizing(width: width, height: height, contentMode: mode, scale: 2)
      let isDrawn = draws(step)
      #expect((RenderStep.resizing(step).obstacle == nil) == isDrawn, "\(step)")
      guard mode == nil else { continue }
      let rounding = RenderStep.CornerRounding(
        radius: .pixels(0), corners: .all, target: step, background: nil)
      #expect((RenderStep(rounding).obstacle == nil) == isDrawn)
    }
    let part = RenderStep.Cropping(width: width, height: height, anchorX: 0, anchorY: 0, scale: 1)
    let isCut = draws(part)
    #expect((RenderStep(part).obstacle == nil) == isCut, "\(part)")
  }

  @Test(arguments: [-1.0, 0, 0.5, 256]) func aThumbnailNeedsASide(side: Double) {
    let step = RenderStep.thumbnail(
      size: .maxPixelSize(side), fromImageIfAbsent: true, fromImageAlways: false)
    #expect((step.obstacle == nil) == (side > 0))
    #expect(RenderStep.gaussianBlur(radius: 0, keepsOpaque: true).obstacle == nil)
  }
}
