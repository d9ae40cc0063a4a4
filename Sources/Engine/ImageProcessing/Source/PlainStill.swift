import CExif
import CPNG
import CWebP
import Pictures

/// A still picture that a room of our own decodes, in one thread and with nothing in between: a WebP of one frame, or a PNG
/// of 8 bits that is not interlaced and has no palette. libvips takes all others, and all that is damaged, and says what is
/// wrong with it.
struct PlainStill {
  /// As stored.
  private(set) var rows: RowFormat
  /// The block; empty without one.
  private(set) var exif: [UInt8] = []
  /// As EXIF has it, 1 to 8, and 0 where it says nothing.
  private(set) var orientation = 0
  /// The file's profile is for other colours, and left alone.
  private(set) var hasForeignProfile = false
  /// There is no more to know of it. Else libvips reads the header besides, and ours the pixels.
  let isBare: Bool

  private let reducesFirst: Bool
  private let decode: (_ file: [UInt8], _ context: UnsafeMutableRawPointer) -> Int32

  /// Nil for what is not plain.
  init?(_ bytes: [UInt8], _ header: ImageHeader) {
    guard header.frames == 1, header.isComplete,
      let still = PlainStill(asWebP: bytes) ?? PlainStill(asPNG: bytes),
      (still.rows.width, still.rows.height) == (header.width, header.height)
    else { return nil }
    self = still
  }

  private init?(asWebP bytes: [UInt8]) {
    var info = pw_info()
    guard pw_read(bytes, bytes.count, &info) == 0 else { return nil }
    let profile = Array(bytes[info.profile_at..<info.profile_at + info.profile_count])
    let fits = profile.count >= 128 && profile.dropFirst(16).starts(with: "RGB ".utf8)
    rows = RowFormat(
      width: Int(info.width), height: Int(info.height), bands: Int(info.bands), profile: fits ? profile : [])
    hasForeignProfile = !profile.isEmpty && !fits
    exif = Array(bytes[info.exif_at..<info.exif_at + info.exif_count])
    orientation = exif.isEmpty ? 0 : Int(pe_orientation(exif, exif.count))
    guard orientation >= 0 else { return nil }
    (isBare, reducesFirst) = (true, false)
    decode = { [info] file, context in
      withUnsafePointer(to: info) { pw_decode(file, $0, PlainStill.take, context) }
    }
  }

  private init?(asPNG bytes: [UInt8]) {
    var info = pn_info()
    guard pn_read(bytes, bytes.count, &info) == 0 else { return nil }
    rows = RowFormat(width: Int(info.width), height: Int(info.height), bands: Int(info.bands), profile: [])
    isBare = info.is_bare != 0
    reducesFirst = true
    decode = { [info] file, context in
      withUnsafePointer(to: info) { pn_decode(file, $0, PlainStill.take, context) }
    }
  }

  /// Takes over what libvips read.
  mutating func add(profile: [UInt8], exif: [UInt8]) { (rows.profile, self.exif) = (profile, exif) }

  /// Draws results on its rows; nil where something is not in order.
  func draw(_ placements: [Placement], of bytes: [UInt8]) throws(RasterFailure) -> [Raster]? {
    let pass = try DrawingPass(rows, placements, reducesFirst: reducesFirst)
    return decoded(bytes, into: pass) ? pass.canvases : nil
  }

  /// All of it; nil where something is not in order.
  func image(of bytes: [UInt8]) -> Raster? {
    guard let canvas = Canvas(rows) else { return nil }
    return decoded(bytes, into: canvas) ? Raster(canvas) : nil
  }

  private func decoded(_ bytes: [UInt8], into taker: any RowTaker) -> Bool {
    var taker = taker
    return withUnsafeMutablePointer(to: &taker) { decode(bytes, $0) } == 0
  }

  private static let take: pw_take = { context, rows, stride, count in
    let taker = context?.assumingMemoryBound(to: (any RowTaker).self).pointee
    return taker?.take(rows: rows, stride: stride, count: count) == true ? 0 : -1
  }
}
