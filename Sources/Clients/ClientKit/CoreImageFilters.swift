import Pictures
import Text

/// The Core Image filters that are drawn, with the default parameters that `CIFilter(name:)` gives them.
///
/// Defaults: Apple's Core Image Filter Reference. What the filters do beyond its formulas is not
/// published; how near the drawing comes is in `docs/processors.md`.
package enum CoreImageFilters {
  /// - Parameters:
  ///   - example: a filter that is drawn, as a job writes it.
  ///   - key: the processor's key, for advice.
  package static func drawing(of name: String, example: String, key: String) -> ChainForm.Drawing {
    table[name].map { .steps($0) }
      ?? .impossible(
        reason: "the Core Image filter \(name) is not drawn here",
        substitute: "put a processor that looks like it before its key: \(example) as \"\(key)\"")
  }

  private static let table: [String: [RenderStep]] = [
    "CIColorControls": [],
    "CIExposureAdjust": [.colorControls(brightness: 0, contrast: 1, saturation: 1, exposure: 0.5)],
    "CIGaussianBlur": [.gaussianBlur(radius: 10, keepsOpaque: false)],
    "CIHueAdjust": [],
    "CIVibrance": [],
    // Its default intensity is 0.
    "CIVignette": [],
  ].merging(
    // Those without a parameter: `CISepiaTone`.
    RenderStep.ColorFilter.allCases.map { filter in
      ("CI\(filter.rawValue.prefix(1).uppercased())\(filter.rawValue.dropFirst())", [.filter(filter)])
    }, uniquingKeysWith: { own, _ in own })
}

extension RenderStep.Color {
  /// Limited to sRGB, as the results are; nil for a colour without components.
  package init?(_ color: ColorValue) {
    let parts = color.components.map { min(max($0, 0), 1) }
    guard parts.count == 4 else { return nil }
    self.init(red: parts[0], green: parts[1], blue: parts[2], alpha: parts[3])
  }
}

extension RenderStep.BlendMode {
  /// `CGBlendMode` by its name.
  package init?(name: String) {
    guard let mode = Self.allCases.first(where: { "\($0)" == name }) else { return nil }
    self = mode
  }
}
