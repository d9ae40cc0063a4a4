import CVips
import Glibc

/// Takes the rows of a picture from top to bottom.
protocol RowTaker {
  /// - Returns: false for want of memory, or for a row too many.
  func take(rows: UnsafePointer<UInt8>?, stride: Int, count: Int32) -> Bool
}

/// Rows of 8 bit without padding, in memory of our own: a picture that goes from a decoder of ours by a drawing to an
/// encoder of ours never meets libvips, which takes as long to open as ten such pictures.
final class Canvas: RowTaker {
  let rows: RowFormat
  /// Bytes that have been taken.
  private var filled = 0
  private(set) var pixels: UnsafeMutableRawBufferPointer

  /// The pixels are to be written.
  init(_ rows: RowFormat) throws(RasterFailure) {
    let count = rows.width * rows.height * rows.bands
    guard let start = malloc(count) else { throw DrawingPass.noMemory }
    pixels = UnsafeMutableRawBufferPointer(start: start, count: count)
    self.rows = rows
    // To touch all of it for the first time takes half of the time of a decode, by small pages.
    if count >= Self.large { madvise(start.alignedUp(toMultipleOf: 4096), count - 4096, MADV_HUGEPAGE) }
  }

  private static let large = 4 << 20

  deinit { free(pixels.baseAddress) }

  func take(rows from: UnsafePointer<UInt8>?, stride: Int, count: Int32) -> Bool {
    let size = rows.width * rows.bands
    guard let from, filled + size * Int(count) <= pixels.count else { return false }
    for row in 0..<Int(count) {
      let bytes = UnsafeRawBufferPointer(start: from + row * stride, count: size)
      UnsafeMutableRawBufferPointer(rebasing: pixels[filled...]).copyMemory(from: bytes)
      filled += size
    }
    return true
  }

  /// The pixels, which the caller frees; the canvas has none then.
  func givePixels() -> UnsafeMutableRawPointer? {
    defer { pixels = UnsafeMutableRawBufferPointer(start: nil, count: 0) }
    return pixels.baseAddress
  }
}

/// A picture as rows of pixels: a canvas, and only once an operation needs libvips an image of libvips, which may be lazy.
/// Rasters do not change; each operation gives a new one.
final class Raster {
  let width: Int
  let height: Int
  let bands: Int
  let hasAlpha: Bool
  /// 8 bit sRGB or grey already.
  let isPlain: Bool
  let is8Bit: Bool
  /// EXIF orientation, 1 to 8.
  let orientation: Int
  private var canvas: Canvas?
  private var made: OpaquePointer?

  /// Takes over a handle.
  private init(_ handle: OpaquePointer) {
    made = handle
    let info = vips.image_info(handle)
    width = Int(info.width)
    height = Int(info.height)
    bands = Int(info.bands)
    hasAlpha = info.has_alpha != 0
    isPlain = info.is_plain != 0
    is8Bit = info.is_8bit != 0
    orientation = Int(info.orientation)
  }

  init(_ canvas: Canvas) {
    self.canvas = canvas
    let rows = canvas.rows
    (width, height, bands) = (rows.width, rows.height, rows.bands)
    hasAlpha = rows.bands % 2 == 0
    isPlain = rows.profile.isEmpty
    is8Bit = true
    orientation = 1
  }

  deinit { if let made { vips.image_free(made) } }

  /// What the functions of the C room take.
  var handle: OpaquePointer {
    if let made { return made }
    let profile = canvas?.rows.profile ?? []
    // fits: sides and bands of a drawing, which have 32 bits.
    let image = vips.image_of(
      canvas?.givePixels(), Int32(width), Int32(height), Int32(bands), profile, profile.count)
    guard let handle = image else { abort() }
    (made, canvas) = (handle, nil)
    return handle
  }

  /// What is in memory row by row, for as long as this image is there; nil for a lazy one.
  var stored: UnsafeRawBufferPointer? {
    if let canvas { return UnsafeRawBufferPointer(canvas.pixels) }
    var count = 0
    return vips.image_pixels(handle, &count).map { UnsafeRawBufferPointer(start: $0, count: count) }
  }

  /// What its rows are, where it is a canvas.
  var rowsOfCanvas: RowFormat? { canvas?.rows }

  /// An upper bound for what the pixels take in memory.
  var byteCount: Int { width * height * bands * (is8Bit ? 1 : 8) }

  /// The embedded profile is for other colours than the bands are, or cannot be used.
  var hasForeignProfile: Bool { !isPlain && vips.has_foreign_profile(handle) != 0 }

  /// The EXIF block as it stands in the file, empty without one.
  var exif: [UInt8] {
    var count = 0
    guard canvas == nil, let bytes = vips.image_exif(handle, &count) else { return [] }
    return [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
  }

  /// Whether an image in memory hides all that would be behind it.
  var isOpaque: Bool {
    guard hasAlpha else { return true }
    guard let stored else { return false }
    return stride(from: bands - 1, to: stored.count, by: bands).allSatisfy { stored[$0] == 255 }
  }

  /// Runs a function of the C room that hands out an image.
  static func make(
    _ operation: (UnsafeMutablePointer<OpaquePointer?>) -> Int32
  ) throws(RasterFailure) -> Raster {
    var handle: OpaquePointer?
    let status = operation(&handle)
    guard status == PV_OK.rawValue, let handle else { throw RasterFailure(status: status) }
    return Raster(handle)
  }

  static func check(_ status: Int32) throws(RasterFailure) {
    guard status == PV_OK.rawValue else { throw RasterFailure(status: status) }
  }
}

/// What libvips said when it refused. Its text is shared by the whole process, so it is only detail
/// for people; what it means is decided by who called.
struct RasterFailure: Error, Hashable, Sendable {
  var isMemory: Bool
  /// A part of the picture is missing.
  var isCut = false
  /// One line, bounded.
  var detail: String

  private static let longestDetail = 200
}

extension RasterFailure {
  /// Empties libvips' error buffer.
  init(status: Int32) {
    isMemory = status == PV_NO_MEMORY.rawValue
    detail = RasterFailure.line(vips.take_error()) ?? "no reason given"
  }

  /// The first warning of libvips since it opened a picture; it is forgotten then.
  static func takeWarning() -> String? { line(vips.take_warning()) }

  private static func line(_ text: UnsafeMutablePointer<CChar>?) -> String? {
    guard let text else { return nil }
    defer { vips.free(text) }
    let lines = String(cString: text).split(whereSeparator: \.isNewline)
    let line = lines.map { $0.filter { $0.isASCII && !$0.isNewline } }.joined(separator: "; ")
    return line.isEmpty ? nil : String(line.prefix(longestDetail))
  }
}
