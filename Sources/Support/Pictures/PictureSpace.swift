/// The colours of a picture whose file gives chromaticities and a curve, without a profile.
package struct PictureSpace: Sendable, Hashable {
  /// x and y of red, green, blue and white (CIE 1931).
  package var places: [Double]
  /// g, a, b, c, d: the light of a level is (a * level + b) to the power of g from d on, and c * level below.
  package var curve: [Double]

  package init(places: [Double], curve: [Double]) {
    (self.places, self.curve) = (places, curve)
  }

  /// By the code points of ITU-T H.273. Curves of video (BT.601, BT.709, BT.2020) are taken as sRGB's, as browsers
  /// do; what is unspecified is sRGB.
  ///
  /// - Returns: nil for curves of high dynamic range, logarithms and reserved codes.
  package init?(primaries: Int, transfer: Int) {
    let d65 = [0.3127, 0.3290]
    switch primaries {
    case 0...3: places = Self.sRGBPlaces
    case 4: places = [0.670, 0.330, 0.210, 0.710, 0.140, 0.080, 0.310, 0.316]
    case 5: places = [0.640, 0.330, 0.290, 0.600, 0.150, 0.060] + d65
    case 6, 7: places = [0.630, 0.340, 0.310, 0.595, 0.155, 0.070] + d65
    case 8: places = [0.681, 0.319, 0.243, 0.692, 0.145, 0.049, 0.310, 0.316]
    case 9: places = [0.708, 0.292, 0.170, 0.797, 0.131, 0.046] + d65
    case 10: places = [1, 0, 0, 1, 0, 0, 1.0 / 3, 1.0 / 3]
    case 11: places = [0.680, 0.320, 0.265, 0.690, 0.150, 0.060, 0.314, 0.351]
    case 12: places = [0.680, 0.320, 0.265, 0.690, 0.150, 0.060] + d65
    case 22: places = [0.630, 0.340, 0.295, 0.605, 0.155, 0.077] + d65
    default: return nil
    }
    switch transfer {
    case 0...3, 6, 11...15: curve = Self.sRGBCurve
    case 4: curve = Self.power(2.2)
    case 5: curve = Self.power(2.8)
    case 7: curve = [1 / 0.45, 1 / 1.1115, 0.1115 / 1.1115, 0.25, 0.0912]
    case 8: curve = Self.power(1)
    case 17: curve = Self.power(2.6)
    default: return nil
    }
  }

  /// The name of a curve of high dynamic range.
  static func dynamicRange(transfer: Int) -> String? {
    [16: " (PQ)", 18: " (HLG)"][transfer].map { "high dynamic range\($0)" }
  }

  package static let sRGB = PictureSpace(places: sRGBPlaces, curve: sRGBCurve)

  private static let sRGBPlaces = [0.640, 0.330, 0.300, 0.600, 0.150, 0.060, 0.3127, 0.3290]
  private static let sRGBCurve = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]

  package static func power(_ gamma: Double) -> [Double] { [gamma, 1, 0, 0, 0] }
}
