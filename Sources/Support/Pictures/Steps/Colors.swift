extension RenderStep {
  package static func tint(_ color: Color) -> RenderStep { RenderStep(Tint(color: color)) }
  package static func filter(_ filter: ColorFilter, amounts: [Double]? = nil) -> RenderStep {
    RenderStep(Filter(filter: filter, amounts: amounts))
  }

  package static func gaussianBlur(radius: Double, keepsOpaque: Bool) -> RenderStep {
    RenderStep(GaussianBlur(radius: radius, keepsOpaque: keepsOpaque))
  }

  package static func overlay(color: Color, fraction: Double) -> RenderStep {
    RenderStep(Overlay(color: color, fraction: fraction))
  }

  package static func boxBlur(width: Int, passes: Int, keepsOpaque: Bool) -> RenderStep {
    RenderStep(BoxBlur(width: width, passes: passes, keepsOpaque: keepsOpaque))
  }

  package static func colorControls(
    brightness: Double, contrast: Double, saturation: Double, exposure: Double
  ) -> RenderStep {
    RenderStep(
      ColorControls(brightness: brightness, contrast: contrast, saturation: saturation, exposure: exposure))
  }

  package static func blend(mode: BlendMode, alpha: Double, background: Color?) -> RenderStep {
    RenderStep(Blend(mode: mode, alpha: alpha, background: background))
  }

  package static func colorBlend(mode: BlendMode, color: Color) -> RenderStep {
    RenderStep(ColorBlend(mode: mode, color: color))
  }

  /// Blurs without growing; beyond the edges the picture goes on as at its edge.
  package struct GaussianBlur: DrawingStep {
    package static let name = "gaussianBlur"
    package static let isWrapped = false

    /// Sigma in pixels.
    package var radius: Double
    /// Without it the result has alpha, as the client's bitmap does.
    package var keepsOpaque: Bool

    package var isCoreImage: Bool { true }
  }

  /// Averages over squares, one after another, which is how all clients blur; beyond the edges the picture goes on as at its
  /// edge.
  package struct BoxBlur: DrawingStep {
    package static let name = "boxBlur"

    /// Side of the square in pixels, odd.
    package var width: Int
    /// How many times.
    package var passes: Int
    /// Without it the result has alpha, as the client's bitmap does.
    package var keepsOpaque: Bool

    /// The side of the box of which three passes come near a Gaussian of this sigma (SVG 1.1, 15.17,
    /// feGaussianBlur), made odd. At most 2901: beyond it vImage's sums overflow.
    ///
    /// - Parameter parts: into how many a client divides it first.
    package static func width(sigma: Double, parts: Double = 1) -> Int {
      let width = ((sigma * 3 * (2 * Double.pi).squareRoot() / 4 + 0.5) / parts).rounded(.down)
      return width < 2901 ? Int(width) | 1 : 2901
    }
  }

  /// A colour in the picture's shape, and the picture over it with `fraction` of its strength.
  package struct Overlay: DrawingStep {
    package static let name = "overlay"
    package static let isWrapped = false

    package var color: Color
    package var fraction: Double
  }

  /// A colour over all of the picture, mixed in linear light.
  package struct Tint: DrawingStep {
    package static let name = "tint"
    package static let isWrapped = false

    package var color: Color

    package var isCoreImage: Bool { true }

    private enum CodingKeys: String, CodingKey { case color = "_0" }
  }

  /// `CIColorControls`, then `CIExposureAdjust`, in linear light as Core Image works.
  package struct ColorControls: DrawingStep {
    package static let name = "colorControls"

    /// Added.
    package var brightness: Double
    /// Factor around the middle.
    package var contrast: Double
    /// 0 is grey, 1 the picture.
    package var saturation: Double
    /// In stops: 1 doubles the light.
    package var exposure: Double

    package var isCoreImage: Bool { true }
  }

  /// The picture drawn onto a background (or onto nothing) in a blend mode.
  package struct Blend: DrawingStep {
    package static let name = "blend"

    package var mode: BlendMode
    /// Weighs the picture, 0...1.
    package var alpha: Double
    package var background: Color?
  }

  /// A colour that fills the canvas over the picture, in a blend mode.
  package struct ColorBlend: DrawingStep {
    package static let name = "colorBlend"

    package var mode: BlendMode
    package var color: Color
  }

  /// `CGBlendMode`, with its raw values.
  package enum BlendMode: Int, Codable, Hashable, Sendable, CaseIterable {
    case normal, multiply, screen, overlay, darken, lighten, colorDodge, colorBurn, softLight, hardLight
    case difference, exclusion, hue, saturation, color, luminosity
    case clear, copy, sourceIn, sourceOut, sourceAtop, destinationOver, destinationIn, destinationOut
    case destinationAtop, xor, plusDarker, plusLighter
  }

  package struct Filter: DrawingStep {
    package static let name = "filter"
    package static let isWrapped = false

    package var filter: ColorFilter
    /// The intensity of sepia; radius and amount of what sharpens. Nil for the defaults.
    package var amounts: [Double]?

    package var isCoreImage: Bool { true }

    private enum CodingKeys: String, CodingKey {
      case filter = "_0"
      case amounts
    }
  }

  /// Core Image filters that are no other step.
  package enum ColorFilter: String, Codable, Hashable, Sendable, CaseIterable {
    case sepiaTone, photoEffectMono, photoEffectNoir, photoEffectTonal, colorInvert, colorMonochrome
    case maximumComponent, minimumComponent, linearToSRGBToneCurve, sRGBToneCurveToLinear
    case sharpenLuminance, unsharpMask
  }
}
