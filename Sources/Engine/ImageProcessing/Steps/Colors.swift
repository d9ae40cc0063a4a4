import CVips
import Pictures

extension RenderStep.GaussianBlur: DrawnStep {
  func draw(on picture: Picture, size: PixelSize) throws(RasterFailure) -> Raster {
    // Below this the bell lies within one pixel.
    let image = radius < 0.1 ? picture.image : try .make { vips.blur(picture.image.handle, radius, $0) }
    return keepsOpaque ? image : try image.addingAlpha()
  }
}

extension RenderStep.BoxBlur: DrawnStep {
  func draw(on picture: Picture, size: PixelSize) throws(RasterFailure) -> Raster {
    let blurred = try Raster.make {
      vips.box_blur(picture.image.handle, Int32(width), Int32(passes), $0)
    }
    return keepsOpaque ? blurred : try blurred.addingAlpha()
  }
}

extension RenderStep.Overlay: DrawnStep {
  func draw(on picture: Picture, size: PixelSize) throws(RasterFailure) -> Raster {
    try .make { vips.overlay(picture.image.handle, picture.components(color), fraction, $0) }
  }
}

extension RenderStep.Tint: DrawnStep {
  func draw(on picture: Picture, size: PixelSize) throws(RasterFailure) -> Raster {
    try .make { vips.tint(picture.image.handle, picture.components(color), $0) }
  }
}

extension RenderStep.ColorControls: DrawnStep {
  func draw(on picture: Picture, size: PixelSize) throws(RasterFailure) -> Raster {
    try .make { vips.color_controls(picture.image.handle, brightness, contrast, saturation, exposure, $0) }
  }
}

extension RenderStep.Blend: DrawnStep {
  func draw(on picture: Picture, size: PixelSize) throws(RasterFailure) -> Raster {
    let background = background.map(picture.components)
    return try .make { vips.blend(picture.image.handle, Int32(mode.rawValue), alpha, background, $0) }
  }
}

extension RenderStep.ColorBlend: DrawnStep {
  func draw(on picture: Picture, size: PixelSize) throws(RasterFailure) -> Raster {
    try .make { vips.blend_color(picture.image.handle, Int32(mode.rawValue), picture.components(color), $0) }
  }
}

extension RenderStep.Filter: DrawnStep {
  func draw(on picture: Picture, size: PixelSize) throws(RasterFailure) -> Raster {
    let handle = picture.image.handle
    func amount(_ index: Int, _ usual: Double) -> Double {
      amounts.flatMap { index < $0.count ? $0[index] : nil } ?? usual
    }
    return switch filter {
    case .sepiaTone: try .make { vips.sepia(handle, amount(0, 1), $0) }
    case .photoEffectMono: try .make { vips.filter(handle, PV_MONO, $0) }
    case .photoEffectNoir: try .make { vips.filter(handle, PV_NOIR, $0) }
    case .photoEffectTonal: try .make { vips.filter(handle, PV_TONAL, $0) }
    case .colorInvert: try .make { vips.filter(handle, PV_INVERT, $0) }
    case .colorMonochrome: try .make { vips.filter(handle, PV_MONOCHROME, $0) }
    case .maximumComponent: try .make { vips.filter(handle, PV_MAXIMUM, $0) }
    case .minimumComponent: try .make { vips.filter(handle, PV_MINIMUM, $0) }
    case .linearToSRGBToneCurve: try .make { vips.filter(handle, PV_LINEAR_TO_SRGB, $0) }
    case .sRGBToneCurveToLinear: try .make { vips.filter(handle, PV_SRGB_TO_LINEAR, $0) }
    // The filters' default radius and amount (Core Image Filter Reference).
    case .sharpenLuminance: try .make { vips.sharpen(handle, amount(0, 1.69), amount(1, 0.4), $0) }
    case .unsharpMask: try .make { vips.sharpen(handle, amount(0, 2.5), amount(1, 0.5), $0) }
    }
  }
}
