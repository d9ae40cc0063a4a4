import CVips
import Glibc
import Pictures

/// The functions that call libvips. The first use opens it. A process that opens nothing ends instead, and its supervisor
/// opens it for the next one.
var vips: pv_table {
  // Where that fails the reason stands on standard error.
  guard let table = pv_open() else { exit(2) }
  return table.pointee
}

enum VipsLibrary {
  /// Opens what these formats may wait for besides.
  static func openPlugins(for formats: some Sequence<ImageFormat>) {
    if formats.contains(where: { pv_is_in_plugin($0.facts.loader ?? "") != 0 }) { pv_open_plugins() }
  }

  /// As libvips prints it, such as `8.14.1`.
  static var version: String {
    (pv_open()?.pointee.version()).map { String(cString: $0) } ?? "not available"
  }
}

/// Encoded bytes in libvips' hands. Images read from it may outlive it.
final class VipsSource {
  private let handle: OpaquePointer?

  init(_ bytes: [UInt8]) {
    handle = bytes.withUnsafeBytes { vips.source_new($0.baseAddress, $0.count) }
  }

  deinit { vips.source_free(handle) }

  /// The first frame, lazily and from top to bottom once.
  ///
  /// - Parameters:
  ///   - shrink: 1, 2, 4 or 8: decoders that can leave out this much while they decode.
  ///   - isStrict: refuses what decoders only warn about. Truncation is always refused.
  ///   - allFrames: of a WebP, one below the other.
  func image(
    _ format: ImageFormat, shrink: Int, isStrict: Bool, allFrames: Bool = false
  ) throws(RasterFailure) -> Raster {
    let facts = format.facts
    let (option, value) = allFrames ? ("n", -1) : (facts.shrinking, shrink)
    return try Raster.make { out in
      vips.load(handle, facts.loader ?? "", option, Int32(value), isStrict ? 1 : 0, out)
    }
  }
}
