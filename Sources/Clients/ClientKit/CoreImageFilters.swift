import Pictures

/// The Core Image filters that are drawn, with the default parameters that `CIFilter(name:)` gives them.
///
/// Defaults: Apple's Core Image Filter Reference. What the filters do beyond its formulas is not
/// published; how near the drawing comes is told in `docs/processors.md`.
package enum CoreImageFilters {
  package static func steps(for name: String) -> [RenderStep]? { table[name] }

  private static let table: [String: [RenderStep]] = [
    "CIColorControls": [],
    "CIColorInvert": [.filter(.colorInvert)],
    "CIColorMonochrome": [.filter(.colorMonochrome)],
    "CIExposureAdjust": [
      .colorControls(.init(brightness: 0, contrast: 1, saturation: 1, exposure: 0.5))
    ],
    "CIGaussianBlur": [.gaussianBlur(radius: 10, keepsOpaque: false)],
    "CIHueAdjust": [],
    "CILinearToSRGBToneCurve": [.filter(.linearToSRGBToneCurve)],
    "CIMaximumComponent": [.filter(.maximumComponent)],
    "CIMinimumComponent": [.filter(.minimumComponent)],
    "CIPhotoEffectMono": [.filter(.photoEffectMono)],
    "CIPhotoEffectNoir": [.filter(.photoEffectNoir)],
    "CIPhotoEffectTonal": [.filter(.photoEffectTonal)],
    "CISepiaTone": [.filter(.sepiaTone)],
    "CISharpenLuminance": [.filter(.sharpenLuminance)],
    "CISRGBToneCurveToLinear": [.filter(.sRGBToneCurveToLinear)],
    "CIUnsharpMask": [.filter(.unsharpMask)],
    "CIVibrance": [],
    // Its default intensity is 0.
    "CIVignette": [],
  ]
}
