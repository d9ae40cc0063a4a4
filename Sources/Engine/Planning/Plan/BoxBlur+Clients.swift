import Pictures

/// Both clients approximate a Gaussian by boxes as SVG 1.1 (15.17, feGaussianBlur) suggests, each with its
/// own treatment of small radii.
extension RenderStep.BoxBlur {
  /// vImage's sums overflow beyond it (Nuke 13.2.0, `ImageProcessors+GaussianBlur.swift`).
  private static let widest = 2901

  /// The box for a Gaussian of this sigma, made odd.
  private static func width(sigma: Double) -> Int {
    let width = (sigma * 3 * (2 * Double.pi).squareRoot() / 4 + 0.5).rounded(.down)
    guard width < Double(widest) else { return widest }
    return Int(width) | 1
  }

  /// Kingfisher 5.0.0 to 8.11.0, `blurred(withRadius:)`: a radius in pixels, whatever the scale, of at
  /// least 2. From 0.5 to 1.5 it convolves twice but keeps the result of the first time, as its two
  /// buffers change places.
  package static func kingfisher(radius: Double) -> RenderStep.BoxBlur {
    let sigma = radius.isNaN ? 2 : max(radius, 2)
    return RenderStep.BoxBlur(width: width(sigma: sigma), passes: radius < 1.5 ? 1 : 3, keepsOpaque: true)
  }

  /// Nuke 13.0.0 and later, for which the radius is in pixels, too. Before 13.2.0 (`isOld`) it was at
  /// least 2 and the result always had alpha; since then 0 leaves the picture alone.
  package static func nuke(radius: Int, isOld: Bool) -> RenderStep.BoxBlur? {
    if !isOld, radius <= 0 { return nil }
    let sigma = isOld ? max(Double(radius), 2) : Double(radius)
    return RenderStep.BoxBlur(width: width(sigma: sigma), passes: 3, keepsOpaque: !isOld)
  }
}
