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
  ///   - shrink: 1, 2, 4 or 8: JPEG and WebP leave out this much while they decode.
  ///   - isStrict: refuses what decoders only warn about. Truncation is always refused.
  func image(_ format: ImageFormat, shrink: Int, isStrict: Bool) throws(VipsFailure) -> VipsImage {
    try VipsImage.make { pv_load(handle, format.loader, Int32(shrink), isStrict ? 1 : 0, $0) }
  }
}

extension ImageFormat {
  /// libvips' decoder for it, chosen by us and never by libvips.
  fileprivate var loader: pv_loader {
    switch self {
    case .jpeg: PV_JPEG
    case .png: PV_PNG
    case .gif: PV_GIF
    case .webp: PV_WEBP
    case .tiff: PV_TIFF
    case .heif, .avif: PV_HEIF
    }
  }
}
