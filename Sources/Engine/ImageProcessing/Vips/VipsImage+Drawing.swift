import CVips
import Pictures

/// What the steps draw at once, on images that are plain and in memory.
extension VipsImage {
  func boxBlurred(width: Int, passes: Int) throws(VipsFailure) -> VipsImage {
    try VipsImage.make { pv_box_blur(handle, Int32(width), Int32(passes), $0) }
  }

  /// - Parameters:
  ///   - inset: from the edges, in pixels.
  ///   - radii: in pixels: top left, top right, bottom left, bottom right.
  func clipped(
    inset: Double = 0, radii: [Double], background: RenderStep.Color?
  ) throws(VipsFailure) -> VipsImage {
    guard let background else {
      return try VipsImage.make { pv_clip_corners(handle, inset, radii, nil, $0) }
    }
    return try VipsImage.make { pv_clip_corners(handle, inset, radii, background.components, $0) }
  }

  /// - Parameters:
  ///   - inset: of the outer edge.
  ///   - radii: of the outer edge, as ``clipped(inset:radii:background:)`` has them.
  func edged(
    inset: Double = 0, width: Double, color: RenderStep.Color, radii: [Double]
  ) throws(VipsFailure) -> VipsImage {
    try VipsImage.make { pv_edge_line(handle, inset, radii, width, color.components, $0) }
  }

  func blended(by blend: RenderStep.ColorBlend) throws(VipsFailure) -> VipsImage {
    try VipsImage.make { pv_blend_color(handle, Int32(blend.mode.rawValue), blend.color.components, $0) }
  }

  func overlaid(with color: RenderStep.Color, fraction: Double) throws(VipsFailure) -> VipsImage {
    try VipsImage.make { pv_overlay(handle, color.components, fraction, $0) }
  }

  func tinted(with color: RenderStep.Color) throws(VipsFailure) -> VipsImage {
    try VipsImage.make { pv_tint(handle, color.components, $0) }
  }

  func adjusted(by controls: RenderStep.ColorControls) throws(VipsFailure) -> VipsImage {
    try VipsImage.make {
      pv_color_controls(
        handle, controls.brightness, controls.contrast, controls.saturation, controls.exposure, $0)
    }
  }

  func blended(by blend: RenderStep.Blend) throws(VipsFailure) -> VipsImage {
    let mode = Int32(blend.mode.rawValue)
    guard let background = blend.background else {
      return try VipsImage.make { pv_blend(handle, mode, blend.alpha, nil, $0) }
    }
    return try VipsImage.make { pv_blend(handle, mode, blend.alpha, background.components, $0) }
  }

  func filtered(by filter: RenderStep.ColorFilter) throws(VipsFailure) -> VipsImage {
    switch filter {
    case .sepiaTone: try filtered(PV_SEPIA)
    case .photoEffectMono: try filtered(PV_MONO)
    case .photoEffectNoir: try filtered(PV_NOIR)
    case .photoEffectTonal: try filtered(PV_TONAL)
    case .colorInvert: try filtered(PV_INVERT)
    case .colorMonochrome: try filtered(PV_MONOCHROME)
    case .maximumComponent: try filtered(PV_MAXIMUM)
    case .minimumComponent: try filtered(PV_MINIMUM)
    case .linearToSRGBToneCurve: try filtered(PV_LINEAR_TO_SRGB)
    case .sRGBToneCurveToLinear: try filtered(PV_SRGB_TO_LINEAR)
    // The filters' default radius and amount (Core Image Filter Reference).
    case .sharpenLuminance: try sharpened(sigma: 1.69, amount: 0.4)
    case .unsharpMask: try sharpened(sigma: 2.5, amount: 0.5)
    }
  }

  private func filtered(_ filter: pv_filter) throws(VipsFailure) -> VipsImage {
    try VipsImage.make { pv_filter(handle, filter, $0) }
  }

  private func sharpened(sigma: Double, amount: Double) throws(VipsFailure) -> VipsImage {
    try VipsImage.make { pv_sharpen(handle, sigma, amount, $0) }
  }
}

extension RenderStep.Color {
  /// For the C room, limited to what it expects.
  fileprivate var components: [Double] { [red, green, blue, alpha].map { min(max($0, 0), 1) } }
}
