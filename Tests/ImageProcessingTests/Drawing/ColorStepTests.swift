import Foundation
import Testing

@testable import ImageProcessing
@testable import Pictures

/// Against the formulas of W3C's Compositing and Blending Level 1 and of `CGBlendMode`'s documentation,
/// written down once more.
@Suite(.timeLimit(.minutes(10))) struct ColorStepTests {
  private func linear(_ level: Int) -> Double {
    let encoded = Double(level) / 255
    return encoded <= 0.04045 ? encoded / 12.92 : pow((encoded + 0.055) / 1.055, 2.4)
  }

  private func level(_ linear: Double) -> Int {
    let light = min(max(linear, 0), 1)
    let encoded = light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    return Int((encoded * 255).rounded())
  }

  private func drawn(_ pixel: [Int], _ steps: RenderStep...) throws -> [Int] {
    try Drawn(.plain(2, 2, pixel), steps).pixel(1, 1)
  }

  private func controls(
    _ brightness: Double, _ contrast: Double, _ saturation: Double, _ exposure: Double
  ) -> RenderStep {
    .colorControls(
      brightness: brightness, contrast: contrast, saturation: saturation, exposure: exposure)
  }

  @Test func anOverlayMixesInsideThePicturesShape() throws {
    #expect(isNear(try drawn([0, 0, 255], .overlay(color: .red, fraction: 0.25)), [191, 0, 64]))
    #expect(try drawn([0, 0, 255], .overlay(color: .red, fraction: 0)) == [255, 0, 0])
    #expect(try drawn([0, 0, 255], .overlay(color: .red, fraction: 1)) == [0, 0, 255])
    // The picture counts with its own alpha, too, and the shape keeps it.
    #expect(
      isNear(try drawn([0, 0, 255, 51], .overlay(color: .red, fraction: 0.5)), [230, 0, 25, 51], by: 3))
    let hidden = try drawn([0, 0, 255, 0], .overlay(color: .red, fraction: 0.5))
    #expect(hidden[3] == 0)
    let weak = try drawn([0, 0, 255], .overlay(color: RenderStep.Color([255, 0, 0, 102]), fraction: 0))
    #expect(weak == [255, 0, 0, 102])
  }

  @Test func aTintIsLaidOverInLinearLight() throws {
    let half = level(0.5)
    #expect(
      isNear(
        try drawn([0, 0, 0], .tint(RenderStep.Color([255, 255, 255, 128]))), [half, half, half], by: 2))
    #expect(try drawn([7, 8, 9], .tint(RenderStep.Color([10, 20, 30]))) == [10, 20, 30])
    // It fills what was transparent.
    #expect(try drawn([7, 8, 9, 0], .tint(RenderStep.Color([10, 20, 30]))) == [10, 20, 30, 255])
    #expect(isNear(try drawn([0, 0, 255, 0], .tint(RenderStep.Color([255, 0, 0, 102]))), [255, 0, 0, 102]))
  }

  @Test(arguments: [[200, 100, 50], [0, 0, 0], [255, 255, 255], [3, 250, 128]])
  func colourControlsFollowTheirFormulaInLinearLight(pixel: [Int]) throws {
    for (brightness, contrast, saturation, exposure) in [
      (0.0, 1.0, 1.0, 0.0), (0.1, 1, 1, 0), (0, 1.5, 1, 0), (0, 1, 0, 0.7), (0, 1, 1.8, -1),
      (-0.2, 0.7, 0.4, 0.3),
    ] {
      let light = pixel.map(linear)
      let grey = 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2]
      let expected = light.map {
        let saturated = grey + ($0 - grey) * saturation
        return level(((saturated - 0.5) * contrast + 0.5 + brightness) * pow(2, exposure))
      }
      let result = try drawn(pixel, controls(brightness, contrast, saturation, exposure))
      #expect(isNear(result, expected), "\(brightness) \(contrast) \(saturation) \(exposure)")
    }
  }

  @Test func colourStepsLeaveAlphaAlone() throws {
    let steps =
      [controls(0.1, 1.2, 0, 0.7)] + RenderStep.ColorFilter.allCases.map { .filter($0) }
    for step in steps {
      let drawn = try Drawn(.plain(5, 5, [200, 100, 50, 85]), [step])
      #expect(drawn.image.bands == 4 && drawn.alpha(2, 2) == 85, "\(step)")
      #expect(try !Drawn(.plain(5, 5, [200, 100, 50]), [step]).image.hasAlpha, "\(step)")
    }
  }

  @Test func everyFilterDrawsOnGrey() throws {
    for filter in RenderStep.ColorFilter.allCases {
      let drawn = try Drawn(TestPicture.gradient(16, 16, bands: 1), [.filter(filter)])
      #expect((drawn.image.width, drawn.image.height) == (16, 16), "\(filter)")
    }
  }

  @Test func filtersChangeColoursAsTheirNamesSay() throws {
    let pixel = [200, 100, 50]
    let grey = 118
    #expect(isNear(try drawn(pixel, .filter(.photoEffectTonal)), [grey, grey, grey]))
    #expect(try drawn(pixel, .filter(.maximumComponent)) == [200, 200, 200])
    #expect(try drawn(pixel, .filter(.minimumComponent)) == [50, 50, 50])
    #expect(isNear(try drawn(pixel, .filter(.colorInvert)), pixel.map { level(1 - linear($0)) }))
    let there = try drawn(pixel, .filter(.linearToSRGBToneCurve), .filter(.sRGBToneCurveToLinear))
    #expect(isNear(there, pixel, by: 2))
  }

  /// Made by a reference implementation of Core Image's filter.
  @Test(arguments: [
    ([200, 100, 50], [150, 120, 63]), ([0, 0, 0], [0, 0, 0]), ([255, 255, 255], [255, 254, 245]),
    ([3, 250, 128], [225, 214, 181]), ([10, 20, 30], [39, 14, 0]), ([60, 60, 60], [84, 52, 8]),
    ([255, 0, 0], [149, 119, 62]), ([0, 0, 255], [100, 68, 18]), ([128, 64, 200], [123, 91, 36]),
  ])
  func sepiaIsThreePowersOfTheLuminance(pixel: [Int], wanted: [Int]) throws {
    #expect(isNear(try drawn(pixel, .filter(.sepiaTone)), wanted))
  }

  /// In linear light, as references of Core Image's show.
  @Test(arguments: [0, 0.25, 0.5, 0.999])
  func anIntensityMixesSepiaWithThePicture(intensity: Double) throws {
    let (pixel, sepia) = ([200, 100, 50], [150, 120, 63])
    let mixed = zip(pixel, sepia).map { level(linear($0) + (linear($1) - linear($0)) * intensity) }
    #expect(isNear(try drawn(pixel, .filter(.sepiaTone, amounts: [intensity])), mixed, by: 1))
  }

  @Test func noirIsHarderThanTonalAndMonoSofter() throws {
    func spread(_ filter: RenderStep.ColorFilter) throws -> Int {
      let (dark, light) = (
        try drawn([60, 60, 60], .filter(filter)), try drawn([190, 190, 190], .filter(filter))
      )
      return light[0] - dark[0]
    }
    #expect(try spread(.photoEffectNoir) > 140)
    #expect(try spread(.photoEffectTonal) == 130)
    #expect(try (110..<125).contains(spread(.photoEffectMono)))
  }

  @Test(arguments: [RenderStep.ColorFilter.sharpenLuminance, .unsharpMask])
  func sharpeningRaisesAnEdgeAndLeavesPlainPartsAlone(filter: RenderStep.ColorFilter) throws {
    let edge = TestPicture(40, 8) { x, _, _ in x < 20 ? 90 : 150 }
    let drawn = try Drawn(edge, [.filter(filter)])
    #expect(drawn.pixel(19, 4)[0] < 85 && drawn.pixel(20, 4)[0] > 155)
    #expect(isNear(drawn.pixel(2, 4), [90, 90, 90]) && isNear(drawn.pixel(37, 4), [150, 150, 150]))
    let more = try Drawn(edge, [.filter(filter, amounts: [2.5, 1.5])])
    #expect(more.pixel(19, 4)[0] < drawn.pixel(19, 4)[0] && more.pixel(20, 4)[0] > drawn.pixel(20, 4)[0])
    let none = try Drawn(edge, [.filter(filter, amounts: [2.5, 0])])
    #expect(isNear(none.pixel(19, 4), [90, 90, 90]) && isNear(none.pixel(20, 4), [150, 150, 150]))
  }

  typealias Triple = SIMD3<Double>

  /// Source and background, not weighted by their alphas.
  struct Layers: Sendable {
    var source: Triple
    var sourceAlpha: Double
    var under: Triple
    var underAlpha: Double
  }

  static let palette: [[Int]] = [
    [0, 0, 0], [255, 255, 255], [200, 100, 50], [30, 180, 90], [128, 128, 128], [255, 0, 0], [17, 34, 250],
  ]

  // MARK: Formulas

  private static func luminosity(_ c: Triple) -> Double { 0.3 * c.x + 0.59 * c.y + 0.11 * c.z }
  private static func spread(_ c: Triple) -> Double { c.max() - c.min() }

  private static func withLuminosity(_ c: Triple, _ wanted: Double) -> Triple {
    var result = c + (wanted - luminosity(c))
    let (low, high) = (result.min(), result.max())
    if low < 0 { result = wanted + (result - wanted) * wanted / (wanted - low) }
    if high > 1 { result = wanted + (result - wanted) * (1 - wanted) / (high - wanted) }
    return result
  }

  private static func withSaturation(_ c: Triple, _ wanted: Double) -> Triple {
    spread(c) > 0 ? (c - c.min()) * wanted / spread(c) : .zero
  }

  private static func each(_ a: Triple, _ b: Triple, _ mix: (Double, Double) -> Double) -> Triple {
    Triple(mix(a.x, b.x), mix(a.y, b.y), mix(a.z, b.z))
  }

  private static func hardLight(_ under: Double, _ over: Double) -> Double {
    over <= 0.5 ? 2 * under * over : 1 - 2 * (1 - under) * (1 - over)
  }

  private static func softLight(_ under: Double, _ over: Double) -> Double {
    if over <= 0.5 { return under - (1 - 2 * over) * under * (1 - under) }
    let curve = under <= 0.25 ? ((16 * under - 12) * under + 4) * under : under.squareRoot()
    return under + (2 * over - 1) * (curve - under)
  }

  /// B(cb, cs) of the specification.
  private static func mixed(_ mode: RenderStep.BlendMode, _ under: Triple, _ over: Triple) -> Triple? {
    switch mode {
    case .normal: over
    case .multiply: under * over
    case .screen: 1 - (1 - under) * (1 - over)
    case .overlay: each(under, over) { hardLight($1, $0) }
    case .darken: each(under, over, min)
    case .lighten: each(under, over, max)
    case .colorDodge: each(under, over) { $0 == 0 ? 0 : $1 == 1 ? 1 : min(1, $0 / (1 - $1)) }
    case .colorBurn: each(under, over) { $0 == 1 ? 1 : $1 == 0 ? 0 : 1 - min(1, (1 - $0) / $1) }
    case .softLight: each(under, over, softLight)
    case .hardLight: each(under, over, hardLight)
    case .difference: each(under, over) { abs($0 - $1) }
    case .exclusion: under + over - 2 * under * over
    case .hue: withLuminosity(withSaturation(over, spread(under)), luminosity(under))
    case .saturation: withLuminosity(withSaturation(under, spread(over)), luminosity(under))
    case .color: withLuminosity(over, luminosity(under))
    case .luminosity: withLuminosity(under, luminosity(over))
    default: nil
    }
  }

  /// R of `CGBlendMode`'s documentation, weighted by alpha, the fourth component being alpha.
  private static func weighted(_ mode: RenderStep.BlendMode, _ l: Layers) -> SIMD4<Double> {
    let s = SIMD4(l.source * l.sourceAlpha, l.sourceAlpha)
    let d = SIMD4(l.under * l.underAlpha, l.underAlpha)
    let (sa, da) = (l.sourceAlpha, l.underAlpha)
    if let mixed = mixed(mode, l.under, l.source) {
      let color = (1 - sa) * da * l.under + (1 - da) * sa * l.source + sa * da * mixed
      return SIMD4(color, sa + da - sa * da)
    }
    switch mode {
    case .clear: return .zero
    case .copy: return s
    case .sourceIn: return s * da
    case .sourceOut: return s * (1 - da)
    case .sourceAtop: return s * da + d * (1 - sa)
    case .destinationOver: return s * (1 - da) + d
    case .destinationIn: return d * sa
    case .destinationOut: return d * (1 - sa)
    case .destinationAtop: return s * (1 - da) + d * sa
    case .xor: return s * (1 - da) + d * (1 - sa)
    case .plusLighter: return (s + d).clamped(lowerBound: .zero, upperBound: .one)
    default:
      let alpha = min(1, sa + da)
      var result = SIMD4(repeating: alpha) - (SIMD4(repeating: sa) - s) - (SIMD4(repeating: da) - d)
      result.w = alpha
      return result.clamped(lowerBound: .zero, upperBound: .one)
    }
  }

  // MARK: Comparison

  private static func triple(_ color: [Int]) -> Triple {
    Triple(Double(color[0]), Double(color[1]), Double(color[2])) / 255
  }

  @Test(
    arguments: RenderStep.BlendMode.allCases, [(255, 255, 1.0), (255, 255, 0.6), (128, 255, 1), (128, 64, 1)])
  func everyModeIsItsFormula(
    mode: RenderStep.BlendMode, alphas: (source: Int, background: Int, alpha: Double)
  ) throws {
    let picture = TestPicture(Self.palette.count, 1, bands: 4) { x, _, band in
      (Self.palette[x] + [alphas.source])[band]
    }
    for background in Self.palette {
      let blend = RenderStep.Blend(
        mode: mode, alpha: alphas.alpha, background: .init(background + [alphas.background]))
      let drawn = try Drawn(picture, [RenderStep(blend)])
      for (x, source) in Self.palette.enumerated() {
        let expected = Self.weighted(
          mode,
          Layers(
            source: Self.triple(source), sourceAlpha: Double(alphas.source) / 255 * alphas.alpha,
            under: Self.triple(background), underAlpha: Double(alphas.background) / 255))
        let pixel = drawn.pixel(x, 0)
        let alpha = drawn.alpha(x, 0)
        #expect(abs(Double(alpha) - 255 * expected.w) <= 1, "alpha of \(source) on \(background)")
        for band in 0..<3 {
          // Weighted, since nearly transparent colours cannot be told apart.
          let weighted = Double(pixel[band] * alpha) / 255
          #expect(abs(weighted - 255 * expected[band]) <= 2, "\(source) on \(background): \(pixel)")
        }
      }
    }
  }

  @Test func onNothingAPictureStaysWhatItIs() throws {
    let picture = TestPicture.gradient(20, 20)
    for mode in [RenderStep.BlendMode.normal, .multiply, .luminosity, .copy] {
      let blend = RenderStep.Blend(mode: mode, alpha: 1, background: nil)
      let drawn = try Drawn(picture, [RenderStep(blend)])
      #expect(drawn.image.bands == 3)
      #expect(isNear(drawn.image.samples.map(Int.init), picture.samples.map(Int.init)), "\(mode)")
    }
  }
}
