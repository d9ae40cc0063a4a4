import CPNG
import CWebP
import Glibc
import Pictures

/// A still picture that a room of our own decodes, in one thread and with nothing in between: a WebP of one frame, or a PNG
/// of 8 bits that is not interlaced and has no palette. libvips takes all others, and all that is damaged, and says what is
/// wrong with it.
struct PlainStill {
  /// As stored.
  var rows: RowFormat
  /// The block; empty without one.
  var exif: [UInt8] = []
  /// As EXIF has it, 1 to 8, and 0 where it says nothing.
  private(set) var orientation = 0
  /// There is no more to know of it. Else libvips reads the header besides, and ours the pixels.
  let isBare: Bool

  /// Whether a file that cannot be drawn has all pixels, and a checksum that is not theirs.
  private(set) var hasWrongSum: (_ file: [UInt8]) -> Bool = { _ in false }

  private let reducesFirst: Bool
  private let decode: (_ file: [UInt8], _ taker: any RowTaker) -> Bool

  /// Nil for what is not plain.
  init?(_ bytes: [UInt8], _ header: ImageHeader) {
    guard header.frames == 1, header.isComplete,
      let still = PlainStill(asWebP: bytes) ?? PlainStill(asPNG: bytes),
      (still.rows.width, still.rows.height) == (header.width, header.height)
    else { return nil }
    self = still
  }

  /// By libwebp, the decoder that libvips uses, with the same parser of the container (RFC 9649) in front of it: both take
  /// the same files and make the same pixels. Not for animations, and files whose parts contradict each other.
  private init?(asWebP bytes: [UInt8]) {
    let read = bytes.withUnsafeBufferPointer { file -> (rows: RowFormat, data: Range<Int>, exif: [UInt8])? in
      guard let start = file.baseAddress else { return nil }
      var whole = WebPData(bytes: start, size: file.count)
      guard let parsed = WebPDemux(&whole) else { return nil }
      defer { WebPDemuxDelete(parsed) }
      var frame = WebPIterator()
      guard WebPDemuxGetFrame(parsed, 1, &frame) != 0 else { return nil }
      defer { WebPDemuxReleaseIterator(&frame) }
      let flags = WebPDemuxGetI(parsed, WEBP_FF_FORMAT_FLAGS)
      func has(_ flag: WebPFeatureFlags) -> Bool { flags & flag.rawValue != 0 }
      /// The first chunk of a name, where the head of the file announces one.
      func chunk(_ name: String, _ flag: WebPFeatureFlags) -> [UInt8] {
        var found = WebPChunkIterator()
        guard has(flag), WebPDemuxGetChunk(parsed, name, 1, &found) != 0 else { return [] }
        defer { WebPDemuxReleaseChunkIterator(&found) }
        return Array(UnsafeBufferPointer(start: found.chunk.bytes, count: found.chunk.size))
      }
      // A side has 14 bits.
      let width = Int(WebPDemuxGetI(parsed, WEBP_FF_CANVAS_WIDTH))
      let height = Int(WebPDemuxGetI(parsed, WEBP_FF_CANVAS_HEIGHT))
      guard !has(ANIMATION_FLAG), frame.num_frames == 1, frame.complete != 0, width > 0, height > 0,
        has(ALPHA_FLAG) == (frame.has_alpha != 0), (Int(frame.width), Int(frame.height)) == (width, height),
        frame.x_offset == 0, frame.y_offset == 0, let data = frame.fragment.bytes
      else { return nil }
      let rows = RowFormat(
        width: width, height: height, bands: has(ALPHA_FLAG) ? 4 : 3, profile: chunk("ICCP", ICCP_FLAG))
      return (rows, data - start..<data - start + frame.fragment.size, chunk("EXIF", EXIF_FLAG))
    }
    guard let read else { return nil }
    (rows, exif) = (read.rows, read.exif)
    orientation = exif.isEmpty ? 0 : EXIFBlock.orientation(in: exif)
    guard orientation >= 0 else { return nil }
    (isBare, reducesFirst) = (true, false)
    decode = { file, taker in PlainStill.decodeWebP(file[read.data], read.rows, taker) }
  }

  private static func decodeWebP(_ data: ArraySlice<UInt8>, _ rows: RowFormat, _ taker: any RowTaker) -> Bool
  {
    var config = WebPDecoderConfig()
    let stride = rows.width * rows.bands
    guard WebPInitDecoderConfig(&config) != 0, let start = malloc(stride * rows.height) else { return false }
    defer { free(start) }
    let pixels = start.assumingMemoryBound(to: UInt8.self)
    config.output.colorspace = rows.bands == 4 ? MODE_RGBA : MODE_RGB
    config.output.is_external_memory = 1
    // fits: a side has 14 bits.
    config.output.u.RGBA = WebPRGBABuffer(rgba: pixels, stride: Int32(stride), size: stride * rows.height)
    defer { WebPFreeDecBuffer(&config.output) }
    let status = data.withUnsafeBufferPointer { WebPDecode($0.baseAddress, $0.count, &config) }
    return status == VP8_STATUS_OK && taker.take(rows: pixels, stride: stride, count: Int32(rows.height))
  }

  private init?(asPNG bytes: [UInt8]) {
    var info = pn_info()
    guard pn_read(bytes, bytes.count, &info) == 0 else { return nil }
    rows = RowFormat(width: Int(info.width), height: Int(info.height), bands: Int(info.bands), profile: [])
    isBare = info.is_bare != 0
    reducesFirst = true
    hasWrongSum = { [info] file in
      var info = info
      return pn_has_wrong_sum(file, &info) != 0
    }
    decode = { [info] file, taker in
      var (info, taker) = (info, taker)
      return withUnsafeMutablePointer(to: &taker) { pn_decode(file, &info, PlainStill.take, $0) } == 0
    }
  }

  /// Draws results on its rows; nil where something is not in order.
  func draw(_ placements: [Placement], of bytes: [UInt8]) throws(RasterFailure) -> [Raster]? {
    let pass = try DrawingPass(rows, placements, reducesFirst: reducesFirst)
    return decode(bytes, pass) ? pass.canvases : nil
  }

  /// All of it; nil where something is not in order.
  func image(of bytes: [UInt8]) -> Raster? {
    guard let canvas = try? Canvas(rows) else { return nil }
    return decode(bytes, canvas) ? Raster(canvas) : nil
  }

  private static let take: pn_take = { context, rows, stride, count in
    let taker = context?.assumingMemoryBound(to: (any RowTaker).self).pointee
    return taker?.take(rows: rows, stride: stride, count: count) == true ? 0 : -1
  }
}
