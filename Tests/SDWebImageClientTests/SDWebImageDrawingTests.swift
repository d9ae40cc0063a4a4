import ClientKit
import JobSupport
import SDWebImageCache
import Testing

@testable import ClientRegistry
@testable import Pictures

/// What is drawn for a transformer, by the release.
@Suite(.timeLimit(.minutes(10))) struct SDWebImageDrawingTests {
  private func steps(
    _ transformer: SDImageTransformer, scale: Double = 1, version: String = "5.21.5"
  ) throws -> [RenderStep]? {
    let client = SDWebImageClient(version: try SDWebImageVersion(parsing: version))
    guard case .steps(let steps) = client.drawing(of: [transformer.call], scale: scale) else { return nil }
    return steps
  }

  /// `floor(r x 3 sqrt(2 pi) / 4 + 0.5)` of a radius of at least 2, halved up to 5.4.3, then made odd.
  @Test(arguments: [
    ("5.21.5", 10.0, 1.0, 19, 3), ("5.21.5", 1, 1, 5, 3), ("5.21.5", 0.2, 1, 5, 3), ("5.21.5", 10, 2, 39, 3),
    ("5.15.5", 1, 1, 5, 3), ("5.15.4", 1, 1, 5, 2), ("5.15.4", 0.2, 1, 5, 1), ("5.15.4", 10, 1, 19, 3),
    ("5.15.4", 0.2, 3, 5, 2), ("5.5.0", 10, 1, 19, 3), ("5.4.3", 10, 1, 9, 3), ("5.4.3", 1, 1, 3, 2),
    ("5.4.3", 0.2, 1, 3, 1), ("5.0.0", 20, 1, 19, 3), ("5.21.5", 1e9, 1, 2901, 3),
  ])
  func aBlursBoxesAreThoseOfTheRelease(
    version: String, radius: Double, scale: Double, width: Int, passes: Int
  ) throws {
    #expect(
      try steps(.blur(radius: radius), scale: scale, version: version)
        == [.boxBlur(width: width, passes: passes, keepsOpaque: true)])
  }

  @Test func aRadiusOfNothingLeavesThePictureAlone() throws {
    for version in ["5.21.5", "5.4.3"] {
      #expect(try steps(.blur(radius: 0), version: version) == [])
      #expect(try steps(.blur(radius: -3), version: version) == [])
    }
  }

  @Test(
    arguments: [
      ("5.21.5", .multiply), ("5.21.2", .multiply), ("5.21.1", .sourceIn), ("5.20.0", .sourceIn),
    ] as [(String, RenderStep.BlendMode)])
  func aBlendModeIsFollowedSinceThePatchThatMendedIt(version: String, mode: RenderStep.BlendMode) throws {
    let red = SDImageTransformer.Color(red: 1, green: 0, blue: 0)
    let color = RenderStep.Color(red: 1, green: 0, blue: 0, alpha: 1)
    #expect(
      try steps(.tint(color: red, blendMode: .multiply), version: version)
        == [.colorBlend(mode: mode, color: color)])
    let plain = try steps(.tint(color: red, blendMode: nil), version: "5.19.7")
    #expect(plain == [.colorBlend(mode: .sourceAtop, color: color)])
  }

  /// The chain of a job's text, with what is drawn and what is said about it.
  private func filter(_ text: String) throws -> (drawing: ChainForm.Drawing, key: String, warnings: [String])
  {
    let job = JobFileReading("client sdwebimage 5\ncache out\nhttps://e.com/1.jpg \(text)")
    #expect(job.errors == [], "\(text)")
    let chain = try #require(job.entries.first.flatMap { job.chains(of: $0).first })
    let form = SDWebImageClient(version: try SDWebImageVersion(parsing: "5.21.5")).form(of: chain, scale: 1)
    return (form.drawing, form.suffix.text, job.warnings.map(\.message))
  }

  /// `SDImageTransformer.m`: the key has the filter's name alone.
  @Test(
    arguments: [
      (
        "CIColorControls, inputContrast: 1.2",
        .colorControls(brightness: 0, contrast: 1.2, saturation: 1, exposure: 0)
      ),
      (
        "CIExposureAdjust, inputEV: -1",
        .colorControls(brightness: 0, contrast: 1, saturation: 1, exposure: -1)
      ),
      ("CIGaussianBlur, inputRadius: 3", .gaussianBlur(radius: 3, keepsOpaque: false)),
      ("CISepiaTone, inputIntensity: 0.5", .filter(.sepiaTone, amounts: [0.5])),
      ("CISepiaTone, inputIntensity: 1", .filter(.sepiaTone)),
      ("CIUnsharpMask, inputIntensity: 0.7", .filter(.unsharpMask, amounts: [2.5, 0.7])),
      ("CISharpenLuminance, inputSharpness: 1", .filter(.sharpenLuminance, amounts: [1.69, 1])),
      ("CIPhotoEffectMono", .filter(.photoEffectMono)),
    ] as [(String, RenderStep)])
  func inputsOfAFilterAreDrawnUnderTheKeyOfItsName(text: String, step: RenderStep) throws {
    let (drawing, key, warnings) = try filter("filter(name: \(text))")
    #expect(drawing == .steps([step]) && warnings == [])
    #expect(key == "-SDImageFilterTransformer(\(text.prefix { $0 != "," }))")
  }

  @Test(arguments: ["CIColorControls", "CIVibrance", "CIHueAdjust", "CIVignette"])
  func aFilterWithoutAnEffectIsNotDrawn(name: String) throws {
    let (drawing, _, warnings) = try filter("filter(name: \(name))")
    #expect(try #require(drawing.obstacle).contains("\(name) changes nothing by its defaults"))
    #expect(try #require(drawing.obstacle).contains("filter(name: \(name), input"))
    #expect(warnings.count == 1)
  }

  @Test(arguments: [
    ("CIVignette, inputIntensity: 1", "is not known here"),
    ("CIHueAdjust, inputAngle: 1", "is not known here"),
    ("CIUnsharpMask, inputRadius: 99", "is not known here"),
    ("CISepiaTone, inputContrast: 2", "CISepiaTone has no inputContrast; it has inputIntensity"),
    ("CIColorInvert, inputContrast: 2", "CIColorInvert has no inputContrast; it has no inputs"),
  ])
  func whatIsNotKnownOfAFilterIsNotDrawn(text: String, reason: String) throws {
    let (drawing, _, warnings) = try filter("filter(name: \(text))")
    #expect(try #require(drawing.obstacle).contains(reason))
    #expect(warnings.contains { $0.contains(reason) })
  }

  @Test func aFilterWithoutItsInputsIsALint() throws {
    let (drawing, _, warnings) = try filter("filter(name: CISepiaTone)")
    #expect(drawing == .steps([.filter(.sepiaTone)]))
    #expect(warnings.count == 1 && warnings[0].contains("drawn by its defaults, whatever the app sets"))
    // Who writes the defaults has said what the app does.
    let idle = try filter("filter(name: CIVignette, inputIntensity: 0)")
    #expect(idle.drawing == .steps([]) && idle.warnings == [])
    #expect(try filter("filter(name: CISepiaTone) as \"mine\"").warnings == [])
  }
}
