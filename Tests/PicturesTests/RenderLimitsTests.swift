import Testing

@testable import Pictures

/// What a plan says cannot be drawn has to be what a worker cannot draw, and nothing else.
@Suite(.timeLimit(.minutes(10)))
struct RenderLimitsTests {
  private func refusal(_ header: ImageHeader, byteCount: Int = 1000, _ limits: RenderLimits = .init())
    -> String?
  {
    do throws(RenderFailure) {
      try limits.check(header, byteCount: byteCount)
      return nil
    } catch {
      return error.code == .limit ? error.message : "wrong code \(error.code)"
    }
  }

  @Test func everyLimitNamesItsNumberAndItsBound() {
    let small = ImageHeader(format: .png, width: 100, height: 100, channels: 3)
    #expect(refusal(small) == nil)
    #expect(
      refusal(small, byteCount: 104_857_601)?.contains("104857601 bytes, and the limit is 104857600") == true)

    let wide = ImageHeader(format: .png, width: 65_536, height: 1, channels: 3)
    #expect(refusal(wide)?.contains("65536 x 1 pixels, and the limit is 65535 a side") == true)

    let large = ImageHeader(format: .png, width: 10_000, height: 5_001, channels: 3)
    #expect(refusal(large)?.contains("50010000 pixels, and the limit is 50000000") == true)
    #expect(refusal(ImageHeader(format: .png, width: 10_000, height: 5_000, channels: 3)) == nil)

    let film = ImageHeader(format: .gif, width: 1000, height: 1000, frames: 1001, channels: 4)
    #expect(refusal(film)?.contains("1001 frames of 1000 x 1000 are 1001000000 pixels") == true)
  }

  @Test func sizesThatOverflowAreRefusedAndDoNotTrap() {
    let limits = RenderLimits(maxPixels: .max - 1, maxSide: .max, maxDecodeBytes: .max - 1)
    let huge = ImageHeader(format: .tiff, width: 1 << 32, height: 1 << 32, frames: 10_000, channels: 64)
    #expect(refusal(huge, limits) != nil)
    #expect(RenderLimits().decodeMemoryEstimate(huge, byteCount: .max) == .max)
  }

  /// The figures of hazard D14: 451 MB, 41 MB and 338 MB resident with libvips 8.14, 30 MB of it idle.
  @Test func theEstimateComesNearWhatWasMeasured() {
    let samples = 12_000 * 12_000 * 3 / 2
    let limits = RenderLimits()
    let progressive = ImageHeader(
      format: .jpeg, width: 12_000, height: 12_000, isInterlaced: true, channels: 3, planeSamples: samples)
    #expect((400_000_000...460_000_000).contains(limits.decodeMemoryEstimate(progressive)))
    let baseline = ImageHeader(
      format: .jpeg, width: 12_000, height: 12_000, channels: 3, planeSamples: samples)
    #expect(limits.decodeMemoryEstimate(baseline) < 20_000_000)
    let interlaced = ImageHeader(
      format: .png, width: 10_000, height: 10_000, isInterlaced: true, channels: 3)
    #expect((290_000_000...340_000_000).contains(limits.decodeMemoryEstimate(interlaced)))
  }

  /// MiB that a worker needs for 20 megapixels, 64 of them for itself, with libheif 1.15.
  @Test(arguments: [(8, 3, 273), (8, 6, 397), (10, 3, 397), (10, 6, 640)])
  func theEstimateOfAVIFComesNearWhatWasMeasured(bits: Int, halfSamples: Int, measured: Int) {
    let header = ImageHeader(
      format: .avif, width: 5000, height: 4000, bitsPerSample: bits, channels: 3,
      planeSamples: 10_000_000 * halfSamples)
    let estimate = RenderLimits().decodeMemoryEstimate(header) >> 20 + 64
    #expect(abs(estimate - measured) < measured / 10, "\(estimate)")
  }

  @Test func whatWouldTakeTooMuchMemoryIsRefusedWithinThePixelLimit() {
    func jpeg(_ channels: Int) -> ImageHeader {
      ImageHeader(format: .jpeg, width: 10_000, height: 5_000, isInterlaced: true, channels: channels)
    }
    // 50 megapixels in full colour are 300 MB of coefficients: fine. With 4 channels and 100 MB of file: not.
    #expect(refusal(jpeg(3), byteCount: 100 << 20) == nil)
    #expect(refusal(jpeg(4), byteCount: 100 << 20)?.contains("progressive JPEG of 10000 x 5000") == true)
    let deep = ImageHeader(format: .tiff, width: 10_000, height: 5_000, bitsPerSample: 32, channels: 4)
    #expect(refusal(deep)?.contains("would take about 762 MiB, and the limit is 448 MiB") == true)
    var generous = RenderLimits()
    generous.maxDecodeBytes = 1 << 30
    #expect(refusal(deep, generous) == nil)
  }

  @Test func aResultIsHeldToTheSameSize() throws {
    try RenderLimits().check(width: 7000, height: 7000, of: "the result")
    let failure = try #require(throws: RenderFailure.self) {
      try RenderLimits().check(width: 7100, height: 7100, of: "the result")
    }
    #expect(failure.message.hasPrefix("the result is 7100 x 7100"))
  }

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
