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

  @Test(
    arguments: [
      (100, 100, 1, 1000, nil), (10_000, 5_000, 1, 1000, nil),
      (100, 100, 1, 104_857_601, "104857601 bytes, and the limit is 104857600"),
      (65_536, 1, 1, 1000, "65536 x 1 pixels, and the limit is 65535 a side"),
      (10_000, 5_001, 1, 1000, "50010000 pixels, and the limit is 50000000"),
      (1000, 1000, 1001, 1000, "1001 frames of 1000 x 1000 are 1001000000 pixels"),
    ] as [(Int, Int, Int, Int, String?)])
  func everyLimitNamesItsNumberAndItsBound(
    width: Int, height: Int, frames: Int, byteCount: Int, words: String?
  ) {
    let header = ImageHeader(format: .gif, width: width, height: height, frames: frames, channels: 3)
    let found = refusal(header, byteCount: byteCount)
    #expect(words.map { found?.contains($0) == true } ?? (found == nil), "\(found ?? "")")
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
  @Test(arguments: sides, sides) func whatAPlanRefusesAWorkerRefuses(width: Double, height: Double) {
    let modes = [RenderStep.ContentMode.aspectFill, .aspectFit]
    let resizing = (modes + [nil]).map {
      RenderStep.Resizing(width: width, height: height, contentMode: $0, scale: 2)
    }
    var steps: [any DrawingStep] = resizing
    for mode in modes {
      for (crop, upscale, enlarges) in [(false, false, false), (true, false, true), (true, true, false)] {
        steps.append(
          RenderStep.Resize(
            width: width, height: height, contentMode: mode, crop: crop, upscale: upscale,
            cropEnlarges: enlarges))
      }
    }
    let sizes = modes.map {
      RenderStep.Thumbnail.Size.flexible(width: width, height: height, contentMode: $0)
    }
    steps += (sizes + [.maxPixelSize(width)]).map {
      RenderStep.Thumbnail(size: $0, fromImageIfAbsent: true, fromImageAlways: false)
    }
    steps += [
      RenderStep.CornerRounding(radius: .pixels(0), corners: .all, target: resizing[2], background: nil),
      RenderStep.Cropping(width: width, height: height, anchorX: 0, anchorY: 0, scale: 1),
    ]
    for step in steps {
      let isDrawn = Self.pictures.contains { (try? step.size(of: $0)) != nil }
      #expect((RenderStep(step).obstacle == nil) == isDrawn, "\(step)")
    }
  }
}
