import Foundation
import JobSupport
import KingfisherCache
import Testing
import Text

@testable import ClientRegistry
@testable import Pictures

/// What Kingfisher's releases store of animated sources.
@Suite(.timeLimit(.minutes(10))) struct KingfisherDrawingTests {
  private static let red = BuiltInProcessor.Color.rgba(red: 1, green: 0, blue: 0, alpha: 0.5)

  private func steps(
    _ processors: BuiltInProcessor..., scale: Double = 2, version: KingfisherVersion = .init(8, 11, 0)
  ) -> [RenderStep]? {
    let drawing = KingfisherClient(version: version).drawing(of: processors.map(\.call), scale: scale)
    guard case .steps(let steps) = drawing else { return nil }
    return steps
  }

  private func reason(_ processor: BuiltInProcessor) -> String? {
    let drawing = KingfisherClient(version: .init(8, 11, 0)).drawing(of: [processor.call], scale: 1)
    guard case .impossible = drawing else { return nil }
    return drawing.obstacle
  }

  private static let small = DownsamplingImageProcessor(size: .init(width: 10, height: 30))
  private static let thumbnail = RenderStep.thumbnail(
    size: .maxPixelSize(60), fromImageIfAbsent: true, fromImageAlways: true)

  /// Sizes stay in points where the client rounds them; downsampling limits the longer side in pixels; corners keep their
  /// bits, and radii are points or fractions; a border's alpha counts twice; colours are limited to sRGB.
  static let rows: [(BuiltInProcessor, RenderStep)] = [
    (
      ResizingImageProcessor(referenceSize: .init(width: 10, height: 20), mode: .aspectFit),
      .resizing(.init(width: 10, height: 20, contentMode: .aspectFit, scale: 2))
    ),
    (
      ResizingImageProcessor(referenceSize: .init(width: 10, height: 20), mode: .none),
      .resizing(.init(width: 10, height: 20, contentMode: nil, scale: 2))
    ),
    (
      CroppingImageProcessor(size: .init(width: 10, height: 20), anchor: .init(x: 0.25, y: 1)),
      .cropping(width: 10, height: 20, anchorX: 0.25, anchorY: 1, scale: 2)
    ),
    (small, thumbnail),
    (
      RoundCornerImageProcessor(
        radius: .point(7), targetSize: .init(width: 30, height: 20),
        roundingCorners: [.topLeft, .bottomRight],
        backgroundColor: .gray(white: 1, alpha: 1)),
      .cornerRounding(
        radius: .pixels(14), corners: [.topLeft, .bottomRight],
        target: .init(width: 30, height: 20, contentMode: nil, scale: 2),
        background: .init(red: 1, green: 1, blue: 1, alpha: 1))
    ),
    (
      RoundCornerImageProcessor(
        radius: .widthFraction(0.5), targetSize: nil, roundingCorners: .all, backgroundColor: nil),
      .cornerRounding(radius: .widthFraction(0.5), corners: .all, target: nil, background: nil)
    ),
    (
      BorderImageProcessor(
        border: Border(color: red, lineWidth: 4, radius: .heightFraction(0.1), roundingCorners: [.topRight])),
      .edgeLine(
        width: 8, color: .init(red: 1, green: 0, blue: 0, alpha: 0.25), radius: .heightFraction(0.1),
        corners: .topRight)
    ),
    (
      TintImageProcessor(tint: .rgba(red: 1.2, green: -0.3, blue: 0.5, alpha: 1)),
      .tint(.init(red: 1, green: 0, blue: 0.5, alpha: 1))
    ),
    (
      ColorControlsProcessor(brightness: 0.1, contrast: 1.2, saturation: 0.8, inputEV: -1),
      .colorControls(brightness: 0.1, contrast: 1.2, saturation: 0.8, exposure: -1)
    ),
    (
      OverlayImageProcessor(overlay: red, fraction: 0.3),
      .overlay(color: .init(red: 1, green: 0, blue: 0, alpha: 0.5), fraction: 0.3)
    ),
  ]

  @Test func eachProcessorBecomesItsStep() {
    for (processor, step) in Self.rows { #expect(steps(processor) == [step], "\(processor)") }
    #expect(steps(BlackWhiteProcessor(), Self.small)?.last == Self.thumbnail)
    #expect(steps(Self.small, version: .init(5, 0, 0)) == [Self.thumbnail])
    // 5.0.0 to 5.2.0 resized what was decoded already.
    let resized = RenderStep.resizing(.init(width: 10, height: 30, contentMode: nil, scale: 2))
    #expect(steps(DefaultImageProcessor.default, Self.small, version: .init(5, 2, 0)) == [resized])
    #expect(steps(DefaultImageProcessor.default, Self.small, version: .init(5, 3, 0)) == [Self.thumbnail])
  }

  /// `floor(r x 3 sqrt(2 pi) / 4 + 0.5)`, made odd, of a radius of at least 2.
  @Test(arguments: [
    (0.0, 5, 1), (-4, 5, 1), (0.4, 5, 1), (0.5, 5, 1), (1.4, 5, 1), (1.5, 5, 3), (2, 5, 3), (3, 7, 3),
    (4, 9, 3),
    (4.1, 9, 3), (5, 9, 3), (10, 19, 3), (20, 39, 3), (1e9, 2901, 3), (.infinity, 2901, 3), (.nan, 5, 3),
  ])
  func aBlursBoxFollowsFromItsRadius(radius: Double, width: Int, passes: Int) {
    #expect(
      steps(BlurImageProcessor(blurRadius: radius), scale: 1)
        == [.boxBlur(width: width, passes: passes, keepsOpaque: true)])
  }

  /// The client multiplies the radius by the scale factor before anything else is decided.
  @Test(arguments: [
    (4.0, 1.0, 9, 3), (4, 2, 15, 3), (4, 3, 23, 3), (1, 1, 5, 1), (1, 2, 5, 3), (1, 3, 7, 3), (0.7, 2, 5, 1),
    (0.7, 3, 5, 3), (0.2, 3, 5, 1), (2.5, 1.5, 7, 3),
  ])
  func aBlursBoxGrowsWithTheScale(radius: Double, scale: Double, width: Int, passes: Int) throws {
    // `floor(s x 3 sqrt(2 pi) / 4 + 0.5)`, made odd.
    let target = (max(radius * scale, 2) * 3 * (2 * Double.pi).squareRoot() / 4 + 0.5).rounded(.down)
    #expect(width == Int(target) | 1)
    #expect(
      steps(BlurImageProcessor(blurRadius: radius), scale: scale)
        == [.boxBlur(width: width, passes: passes, keepsOpaque: true)])
  }

  @Test func colourProcessorsPassTheirNumbersOn() throws {
    #expect(
      steps(BlackWhiteProcessor())
        == steps(ColorControlsProcessor(brightness: 0, contrast: 1, saturation: 0, inputEV: 0.7)))
    for mode in BuiltInProcessor.BlendMode.allCases {
      let drawn = try #require(RenderStep.BlendMode.allCases.first { "\($0)" == "\(mode)" })
      #expect(
        steps(BlendImageProcessor(blendMode: mode, alpha: 0.4, backgroundColor: nil))
          == [.blend(mode: drawn, alpha: 0.4, background: nil)])
    }
    #expect(BuiltInProcessor.BlendMode.plusLighter.rawValue == 27)
  }

  @Test func whatIsKnownOnlyByNameCannotBeDrawn() throws {
    let custom = try #require(reason(BuiltInProcessor(.custom("com.e.mine"))))
    #expect(custom.contains(#"as "com.e.mine""#))
    #expect(
      steps(BuiltInProcessor(ProcessorCall("blackWhite", as: "com.e.mine"))) == steps(BlackWhiteProcessor()))
    #expect(steps(DefaultImageProcessor.default)?.isEmpty == true)
  }

  private static let blur = "blur(blurRadius: 4)"

  /// Nothing is stored of a GIF that is processed, and the app finds the original that another chain stores; of formats other
  /// than JPEG, PNG and GIF 5.0.0 to 5.2.0 store what came, whatever was made of it.
  static let animated: [(String, String, AnimatedKind, String)] = {
    let (original, encoded) = ("own original; found exact", "own encoded; found exact")
    var rows: [(String, String, AnimatedKind, String)] = [
      ("8.11.0", "original", .gif, original), ("8.11.0", "\(blur) original", .gif, "nothing; found part"),
      ("8.11.0", "\(blur) encode=png", .gif, encoded),
      ("5.0.0", "downsampling(size: 20x20)", .webp, original),
      ("8.11.0", "downsampling(size: 20x20)", .webp, encoded),
    ]
    for version in ["5.0.0", "6.3.1", "8.11.0"] {
      for chain in [blur, "downsampling(size: 20x20)"] {
        rows.append((version, chain, .gif, "nothing; found nothing"))
        rows.append((version, chain, .stillGIF, "nothing; found nothing"))
        rows.append((version, chain, .apng, encoded))
      }
    }
    for kind in [AnimatedKind.webp, .rarer] {
      for version in ["5.0.0", "5.2.0"] { rows.append((version, blur, kind, original)) }
      for version in ["5.3.0", "6.3.1", "8.11.0"] { rows.append((version, blur, kind, encoded)) }
      rows.append(("5.2.0", "\(blur) encode=png", kind, encoded))
    }
    return rows
  }()

  @Test(arguments: animated)
  func whatIsStoredOfAnAnimatedSource(version: String, line: String, kind: AnimatedKind, stored: String) {
    #expect(Preheat.stored("kingfisher \(version)", line, of: kind) == stored)
  }

  @Test(arguments: AnimatedKind.allCases)
  func aPreferredOriginalIsStoredUnderTheChainsKey(kind: AnimatedKind) {
    for version in ["5.13.0", "7.4.0", "8.11.0"] {
      let stored = Preheat.stored("kingfisher \(version)", Self.blur, of: kind, settings: "original-data on")
      #expect(stored.hasPrefix("own original"), "\(version)")
    }
  }
}
