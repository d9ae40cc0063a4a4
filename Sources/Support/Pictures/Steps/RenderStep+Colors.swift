extension RenderStep {
  /// Averages over squares; beyond the edges the picture goes on as at its edge.
  public struct BoxBlur: Codable, Hashable, Sendable {
    /// Side of the square in pixels, odd.
    public var width: Int
    /// How many times.
    public var passes: Int
    /// Without it the result has alpha, as the client's bitmap does.
    public var keepsOpaque: Bool

    public init(width: Int, passes: Int, keepsOpaque: Bool) {
      self.width = width
      self.passes = passes
      self.keepsOpaque = keepsOpaque
    }

    /// The side of the box of which three passes come near a Gaussian of this sigma (SVG 1.1, 15.17,
    /// feGaussianBlur), made odd. At most 2901: beyond it vImage's sums overflow.
    package static func width(sigma: Double) -> Int {
      let width = (sigma * 3 * (2 * Double.pi).squareRoot() / 4 + 0.5).rounded(.down)
      return width < 2901 ? Int(width) | 1 : 2901
    }
  }

  /// `CIColorControls`, then `CIExposureAdjust`, in linear light as Core Image works.
  public struct ColorControls: Codable, Hashable, Sendable {
    /// Added.
    public var brightness: Double
    /// Factor around the middle.
    public var contrast: Double
    /// 0 is grey, 1 the picture.
    public var saturation: Double
    /// In stops: 1 doubles the light.
    public var exposure: Double

    public init(brightness: Double, contrast: Double, saturation: Double, exposure: Double) {
      self.brightness = brightness
      self.contrast = contrast
      self.saturation = saturation
      self.exposure = exposure
    }
  }

  /// The picture drawn onto a background (or onto nothing) in a blend mode.
  public struct Blend: Codable, Hashable, Sendable {
    public var mode: BlendMode
    /// Weighs the picture, 0...1.
    public var alpha: Double
    public var background: Color?

    public init(mode: BlendMode, alpha: Double, background: Color?) {
      self.mode = mode
      self.alpha = alpha
      self.background = background
    }
  }

  /// `CGBlendMode`, with its raw values.
  public enum BlendMode: Int, Codable, Hashable, Sendable, CaseIterable {
    case normal, multiply, screen, overlay, darken, lighten, colorDodge, colorBurn, softLight, hardLight
    case difference, exclusion, hue, saturation, color, luminosity
    case clear, copy, sourceIn, sourceOut, sourceAtop, destinationOver, destinationIn, destinationOut
    case destinationAtop, xor, plusDarker, plusLighter
  }

  /// Core Image filters with their default parameters that are no other step.
  public enum ColorFilter: String, Codable, Hashable, Sendable, CaseIterable {
    case sepiaTone, photoEffectMono, photoEffectNoir, photoEffectTonal, colorInvert, colorMonochrome
    case maximumComponent, minimumComponent, linearToSRGBToneCurve, sRGBToneCurveToLinear
    case sharpenLuminance, unsharpMask
  }
}
