import CExif
import CJPEG
import CVips

/// A JPEG that libjpeg-turbo decodes by itself, in one thread and with nothing in between: baseline or progressive, grey
/// or in three colours of 8 bits, with segments in good order. libvips takes all others, and those that a warning
/// interrupts; it uses the same library, so the pixels are the same.
struct PlainJPEG {
  /// Stored pixels.
  let width: Int
  let height: Int
  let bands: Int
  /// As EXIF has it, 1 to 8.
  let orientation: Int

  private let info: pj_info
  /// Colours that are not sRGB, or not for certain.
  private let profile: [UInt8]

  /// Nil for what is not plain.
  init?(_ bytes: [UInt8]) {
    var info = pj_info()
    let found = bytes.withUnsafeBufferPointer { file -> (orientation: Int32, profile: [UInt8])? in
      guard let start = file.baseAddress, pj_read(start, file.count, &info) == 0 else { return nil }
      let orientation =
        info.exif_count == 0 ? 1 : pe_orientation(start + info.exif_at, info.exif_count)
      guard orientation > 0 else { return nil }
      var profile = [UInt8](repeating: 0, count: info.profile_count)
      guard profile.isEmpty || pj_profile(start, file.count, &info, &profile) == 0 else { return nil }
      return (orientation, profile)
    }
    guard let found else { return nil }
    self.info = info
    profile = found.profile
    orientation = Int(found.orientation)
    (width, height, bands) = (Int(info.width), Int(info.height), Int(info.bands))
  }

  /// The whole picture in memory, with 1/`shrink` of its pixels a side; nil where libvips has to look at it.
  ///
  /// - Parameter bytes: those it was made from.
  func image(of bytes: [UInt8], shrink: Int) -> VipsImage? {
    try? VipsImage.make { out in
      var pixels: UnsafeMutableRawPointer?
      // fits: a part of what came as 32 bits.
      let (across, down) = (Int32(max(width / shrink, 1)), Int32(max(height / shrink, 1)))
      let status = pv_image_new(across, down, info.bands, out, &pixels)
      guard status == PV_OK.rawValue, let image = out.pointee, let pixels else { return status }
      guard decode(bytes, shrink, pixels),
        profile.isEmpty || pv_set_profile(image, profile, profile.count) == PV_OK.rawValue
      else {
        pv_image_free(image)
        out.pointee = nil
        return Int32(PV_FAILED.rawValue)
      }
      return status
    }
  }

  private func decode(_ bytes: [UInt8], _ shrink: Int, _ pixels: UnsafeMutableRawPointer) -> Bool {
    withUnsafePointer(to: info) { info in
      // fits: 1, 2, 4 or 8.
      pj_decode(bytes, bytes.count, info, Int32(shrink), pixels.assumingMemoryBound(to: UInt8.self)) == 0
    }
  }
}
