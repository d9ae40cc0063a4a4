import ClientKit
import JobSupport
import NukeCache
import Pictures
import Testing

@testable import ClientRegistry

@Suite(.timeLimit(.minutes(10))) struct NukeDrawingTests {
  private func drawing(
    _ processor: ImageProcessor, version: NukeVersion = NukeVersion(13, 2, 0)
  ) -> ChainForm.Drawing {
    NukeClient(version: version).drawing(of: [processor.call], scale: 3)
  }

  private func reason(_ processor: ImageProcessor) -> String? {
    let drawing = drawing(processor)
    guard case .impossible = drawing else { return nil }
    return drawing.obstacle
  }

  private func box(_ width: Int, keepsOpaque: Bool) -> ChainForm.Drawing {
    .steps([.boxBlur(width: width, passes: 3, keepsOpaque: keepsOpaque)])
  }

  @Test func aBlurIsWhatTheVersionDraws() {
    let blur = ImageProcessor.gaussianBlur(radius: 8)
    #expect(
      drawing(blur, version: NukeVersion(12, 9, 0)) == .steps([.gaussianBlur(radius: 8, keepsOpaque: false)]))
    // floor(8 x 1.88 + 0.5) = 15.
    #expect(drawing(blur, version: NukeVersion(13, 0, 0)) == box(15, keepsOpaque: false))
    #expect(drawing(blur, version: NukeVersion(13, 1, 0)) == box(15, keepsOpaque: false))
    #expect(drawing(blur) == box(15, keepsOpaque: true))
  }

  @Test(arguments: [
    (NukeVersion(10, 0, 0), true), (NukeVersion(11, 6, 4), true), (NukeVersion(12, 1, 0), true),
    (NukeVersion(12, 1, 1), false), (NukeVersion(13, 2, 0), false),
  ])
  func aCirclesSquareIsOneSince12Point1Point1(version: NukeVersion, isWide: Bool) {
    #expect(
      drawing(.circle(), version: version)
        == .steps([isWide ? .wideCircle(border: nil) : .circle(border: nil)])
    )
  }

  /// `makeThumbnail` gave such a picture no orientation before 12.8.0.
  @Test(arguments: [
    ("10.4.0", true), ("11.6.4", true), ("12.7.3", true), ("12.8.0", false), ("13.2.0", false),
  ])
  func aThumbnailWithoutTransformIsUnturnedAsInTheApp(version: String, isUnturned: Bool) throws {
    for text in [
      "thumbnail(maxPixelSize: 64, createThumbnailWithTransform: false)", "thumbnail(maxPixelSize: 64)",
    ] {
      let (chain, errors) = JobFileReading.chain(text, client: "nuke \(version)")
      #expect(errors == [])
      let client = NukeClient(version: try NukeVersion(parsing: version))
      guard case .steps(let steps) = client.drawing(of: try #require(chain).calls, scale: 1) else { continue }
      #expect(steps.map(\.value.keepsStoredPixels) == [isUnturned && text.contains("Transform")])
    }
  }

  /// The app fails the request, so an entry from earlier in the chain is no hit either.
  @Test(arguments: [
    ("resize(size: -5x10, crop: true, unit: pixels)", true), ("resize(width: 0.4, unit: pixels)", true),
    ("resize(size: 0.9x0.9, crop: true, unit: pixels)", true), ("resize(height: -1)", true),
    ("resize(size: 0.4x0.4, unit: pixels)", true), ("resize(width: 0.5, unit: pixels)", false),
    ("resize(size: -5x10)", false), ("resize(size: 0.9x0.9, unit: pixels)", false),
  ])
  func aSizeOfNoPictureIsNoHit(text: String, fails: Bool) throws {
    let lines = "https://e.com/1.png original\nhttps://e.com/1.png \(text)"
    let plan = try #require(Preheat.plan("client nuke 13.2.0\ncache out\nscale 1\n\(lines)").plan)
    let rendition = plan.rendition(at: plan.rows[1])
    #expect((rendition.found == .nothing) == fails, "\(rendition.found)")
    #expect(rendition.note?.hasPrefix("no picture has this size") ?? false == fails)
  }

  @Test func smallRadiiCountAsTwoBeforeTheyMeantNothing() {
    for radius in [-3, 0, 1] {
      #expect(
        drawing(.gaussianBlur(radius: radius), version: NukeVersion(13, 0, 0)) == box(5, keepsOpaque: false))
    }
    #expect(drawing(.gaussianBlur(radius: 0)) == .steps([]))
    #expect(drawing(.gaussianBlur(radius: -3)) == .steps([]))
    #expect(drawing(.gaussianBlur(radius: 1)) == box(3, keepsOpaque: true))
    #expect(drawing(.gaussianBlur(radius: .max)) == box(2901, keepsOpaque: true))
  }

  @Test(arguments: [
    "CISepiaTone", "CIPhotoEffectMono", "CIPhotoEffectNoir", "CIColorInvert", "CIExposureAdjust",
    "CIColorControls", "CIGaussianBlur", "CIVignette", "CISharpenLuminance",
  ])
  func theFiltersThatPeopleUseAreDrawn(name: String) {
    guard case .steps = drawing(.coreImageFilter(name: name, identifier: nil)) else {
      Issue.record("\(name) is not drawn")
      return
    }
  }

  @Test func anotherFilterSaysHowToGetItsKey() throws {
    let why = try #require(reason(.coreImageFilter(name: "CITwirlDistortion", identifier: nil)))
    #expect(why.contains(#"as "com.github.kean/nuke/core_image?name=CITwirlDistortion)""#))
  }

  @Test func parametersThatOnlyTheAppKnowsAreNotGuessed() throws {
    let filter = ImageProcessor.coreImageFilter(name: "CISepiaTone", identifier: "com.e/sepia?0.3")
    let why = try #require(reason(filter))
    #expect(why.contains(#"coreImage(name: CISepiaTone) as "com.e/sepia?0.3""#))
    let defaults = ImageProcessor.identified(
      .coreImageFilter(name: "CISepiaTone", identifier: nil), as: "com.e/sepia?0.3")
    #expect(drawing(defaults) == .steps([.filter(.sepiaTone)]))
  }

  @Test(
    arguments: [
      (
        "coreImage(name: CIColorControls, inputContrast: 1.2, identifier: \"strong\")", "strong",
        [.colorControls(brightness: 0, contrast: 1.2, saturation: 1, exposure: 0)], 0
      ),
      (
        "coreImageFilter(name: CISepiaTone, inputIntensity: 0.5, identifier: \"s\")", "s",
        [.filter(.sepiaTone, amounts: [0.5])], 0
      ),
      // The key of the name alone is that of the defaults, which change nothing.
      ("coreImage(name: CIVignette)", "com.github.kean/nuke/core_image?name=CIVignette)", [], 0),
      (
        "coreImage(name: CISepiaTone, inputIntensity: 0.5)",
        "com.github.kean/nuke/core_image?name=CISepiaTone)", nil, 1
      ),
    ] as [(String, String, [RenderStep]?, Int)])
  func parametersGoWithAnIdentifier(
    text: String, key: String, steps: [RenderStep]?, warnings: Int
  ) throws {
    let job = JobFileReading("client nuke 13\ncache out\nhttps://e.com/1.jpg \(text)")
    #expect(job.errors == [] && job.warnings.count == warnings)
    let chain = try #require(job.entries.first.flatMap { job.chains(of: $0).first })
    let form = NukeClient(version: NukeVersion(13, 2, 0)).form(of: chain, scale: 1)
    #expect(form.suffix.text == key)
    if let steps {
      #expect(form.drawing == .steps(steps))
    } else {
      #expect(try #require(form.drawing.obstacle).contains("identifier: \"TEXT\""))
    }
  }
}
