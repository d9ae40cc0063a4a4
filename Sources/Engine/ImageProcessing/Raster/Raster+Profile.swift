import CVips
import Pictures

extension PictureSpace {
  /// A small profile of these colours, the same at all times; empty for sRGB, nil for what no colours can be.
  ///
  /// - Parameter isGrey: one for pictures of one band.
  func profile(isGrey: Bool) -> [UInt8]? {
    guard places.count == 8, curve.count == 5, places.allSatisfy((0...1).contains) else { return nil }
    var profile = [UInt8](repeating: 0, count: Int(PV_SMALL_PROFILE))
    let count = Int(vips.make_profile(places, curve, isGrey ? 1 : 0, &profile))
    return count < 0 ? nil : Array(profile.prefix(count))
  }
}

extension Raster {
  /// The same numbers with another profile, or with none.
  func meant(in profile: [UInt8]) throws(RasterFailure) -> Raster {
    try .make { vips.with_profile(handle, profile, profile.count, $0) }
  }

  /// A picture with 8 bits as it is, and a small profile of its space, empty for sRGB; nil for colours that are not RGB by a
  /// matrix and curves.
  func inOwnSpace() -> (image: Raster, profile: [UInt8])? {
    var profile = [UInt8](repeating: 0, count: Int(PV_SMALL_PROFILE))
    var count: Int32 = 0
    let image = try? Raster.make { vips.keep_space(handle, &profile, &count, $0) }
    return image.map { ($0, Array(profile.prefix(Int(count)))) }
  }

  /// Numbers that are meant in a small profile, converted.
  func inSRGB(_ profile: [UInt8]) throws(RasterFailure) -> Raster {
    profile.isEmpty ? self : try meant(in: profile).plain()
  }
}
