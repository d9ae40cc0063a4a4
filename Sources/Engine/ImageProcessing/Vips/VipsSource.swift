import CVips
import Pictures

/// Encoded bytes in libvips' hands. Images read from it may outlive it.
final class VipsSource {
  private let handle: OpaquePointer

  init(_ bytes: [UInt8]) {
    handle = bytes.withUnsafeBytes { pv_source_new($0.baseAddress, $0.count) }
  }

  deinit { pv_source_free(handle) }

  /// The first frame, lazily and from top to bottom once.
  ///
  /// - Parameters:
  ///   - shrink: 1, 2, 4 or 8: decoders that can leave out this much while they decode.
  ///   - isStrict: refuses what decoders only warn about. Truncation is always refused.
  func image(_ format: ImageFormat, shrink: Int, isStrict: Bool) throws(VipsFailure) -> VipsImage {
    let facts = format.facts
    return try VipsImage.make { out in
      pv_load(
        handle, facts.loader, facts.shrinking?.divisor, facts.shrinking?.factor, Int32(shrink),
        isStrict ? 1 : 0, out)
    }
  }
}
