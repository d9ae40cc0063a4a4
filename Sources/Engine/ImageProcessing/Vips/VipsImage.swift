import CVips
import Pictures

/// Owns one libvips image. Images do not change; each operation gives a new one, most of them lazy.
final class VipsImage {
  let handle: OpaquePointer
  let width: Int
  let height: Int
  let bands: Int
  let hasAlpha: Bool
  /// 8 bit sRGB or grey already.
  let isPlain: Bool
  let is8Bit: Bool
  /// EXIF orientation, 1 to 8.
  let orientation: Int

  /// Takes over a handle.
  private init(_ handle: OpaquePointer) {
    self.handle = handle
    let info = pv_image_info(handle)
    width = Int(info.width)
    height = Int(info.height)
    bands = Int(info.bands)
    hasAlpha = info.has_alpha != 0
    isPlain = info.is_plain != 0
    is8Bit = info.is_8bit != 0
    orientation = Int(info.orientation)
  }

  deinit { pv_image_free(handle) }

  /// An upper bound for what the pixels take in memory.
  var byteCount: Int { width * height * bands * (is8Bit ? 1 : 8) }

  /// The EXIF block as it stands in the file, empty without one.
  var exif: [UInt8] {
    var count = 0
    guard let bytes = pv_image_exif(handle, &count) else { return [] }
    return [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
  }

  /// Test hook: the samples of an image in memory, row by row.
  var samples: [UInt8] {
    var count = 0
    guard let bytes = pv_image_pixels(handle, &count) else { return [] }
    return [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
  }

  /// Whether an image in memory hides all that would be behind it.
  var isOpaque: Bool {
    guard hasAlpha else { return true }
    var count = 0
    guard let pixels = pv_image_pixels(handle, &count) else { return false }
    let bytes = UnsafeRawBufferPointer(start: pixels, count: count)
    return stride(from: bands - 1, to: count, by: bands).allSatisfy { bytes[$0] == 255 }
  }

  /// Runs a function of the C room that hands out an image.
  static func make(
    _ operation: (UnsafeMutablePointer<OpaquePointer?>) -> Int32
  ) throws(VipsFailure) -> VipsImage {
    var handle: OpaquePointer?
    let status = operation(&handle)
    guard status == PV_OK.rawValue, let handle else { throw VipsFailure(status: status) }
    return VipsImage(handle)
  }

  static func check(_ status: Int32) throws(VipsFailure) {
    guard status == PV_OK.rawValue else { throw VipsFailure(status: status) }
  }
}

/// What libvips said when it refused. Its text is shared by the whole process, so it is only detail
/// for people; what it means is decided by who called.
struct VipsFailure: Error, Hashable, Sendable {
  var isMemory: Bool
  /// One line, bounded.
  var detail: String

  private static let longestDetail = 200

  init(isMemory: Bool, detail: String) {
    self.isMemory = isMemory
    self.detail = detail
  }

  /// Empties libvips' error buffer.
  init(status: Int32) {
    isMemory = status == PV_NO_MEMORY.rawValue
    detail = VipsFailure.takeDetail() ?? "no reason given"
  }

  private static func takeDetail() -> String? {
    guard let text = pv_take_error() else { return nil }
    defer { pv_free(text) }
    let lines = String(cString: text).split(whereSeparator: \.isNewline)
    let line = lines.map { $0.filter { $0.isASCII && !$0.isNewline } }.joined(separator: "; ")
    return String(line.prefix(longestDetail))
  }
}

/// libvips, started at most once in a process.
enum VipsLibrary {
  private static let isStarted = pv_start() == PV_OK.rawValue

  /// False where libvips cannot run, for want of memory or of its own files.
  @discardableResult
  static func start() -> Bool { isStarted }

  private static let inPlugins = Set(ImageFormat.allCases.filter { pv_has_operation($0.facts.loader) == 0 })
  private static let plugins: Void = pv_open_plugins()

  /// Whether some of these formats wait for a plug-in to be opened.
  static func lacks(_ formats: [ImageFormat]) -> Bool {
    start() && pv_plugins_are_open() == 0 && formats.contains(where: inPlugins.contains)
  }

  /// Opens what ``lacks(_:)`` speaks of, which a process that is confined cannot do.
  static func openPlugins() { plugins }

  /// As libvips prints it, such as `8.14.1`.
  static var version: String {
    start() ? String(cString: pv_version()) : "not available"
  }
}

/// Encoded bytes in libvips' hands. Images read from it may outlive it.
final class VipsSource {
  private let handle: OpaquePointer

  init(_ bytes: [UInt8]) {
    // The first of all uses; without the start libvips has no lock to take here.
    VipsLibrary.start()
    handle = bytes.withUnsafeBytes { pv_source_new($0.baseAddress, $0.count) }
  }

  deinit { pv_source_free(handle) }

  /// The first frame, lazily and from top to bottom once.
  ///
  /// - Parameters:
  ///   - shrink: 1, 2, 4 or 8: decoders that can leave out this much while they decode.
  ///   - isStrict: refuses what decoders only warn about. Truncation is always refused.
  ///   - allFrames: of a GIF or WebP, one below the other.
  func image(
    _ format: ImageFormat, shrink: Int, isStrict: Bool, allFrames: Bool = false
  ) throws(VipsFailure) -> VipsImage {
    let facts = format.facts
    let (option, value) = allFrames ? ("n", -1) : (facts.shrinking, shrink)
    return try VipsImage.make { out in
      pv_load(handle, facts.loader, option, Int32(value), isStrict ? 1 : 0, out)
    }
  }
}
