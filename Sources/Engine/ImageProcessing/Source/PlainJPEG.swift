import CJPEG
import CVips
import Pictures

/// A JPEG that libjpeg-turbo decodes by itself, in one thread and with nothing in between: baseline or progressive, grey
/// or in three colours of 8 bits, with segments in good order. libvips takes all others; they have its pixels, not
/// ImageIO's. What a warning interrupts is read once more when it has been mended.
struct PlainJPEG {
  /// Stored pixels.
  let width: Int
  let height: Int
  let bands: Int
  /// As EXIF has it, 1 to 8.
  let orientation: Int
  /// EXIF says so.
  let hasOrientation: Bool

  /// Colours that are not sRGB, or not for certain.
  var profile: [UInt8]

  private let info: pj_info

  /// Test hook: the loops that every processor has.
  static let anywhere = PJ_ANYWHERE

  /// Nil for what is not plain.
  ///
  /// - Parameter known: the header of the bytes, where it has been read.
  init?(_ bytes: [UInt8], _ known: ImageHeader? = nil) {
    var info = pj_info()
    guard let header = known ?? (try? ImageHeader.read(bytes)), let pieces = header.profilePieces,
      pj_read(bytes, bytes.count, &info) == 0
    else { return nil }
    let told = header.exif.map { EXIFBlock.orientation(in: bytes[$0]) } ?? 0
    guard told >= 0 else { return nil }
    self.info = info
    profile = pieces.flatMap { bytes[$0] }
    (orientation, hasOrientation) = (max(1, told), told > 0)
    (width, height, bands) = (Int(info.width), Int(info.height), Int(info.bands))
  }

  /// Decodes once, with 1, 2, 4 or 8 stored pixels for one of a side, and draws results on the rows; nil where something
  /// is not in order.
  ///
  /// - Parameters:
  ///   - wanted: by divisor; without any it is only decoded.
  ///   - bytes: those it was made from.
  ///   - how: in which colours, and by which loops.
  func draw(
    _ wanted: [Int: [Placement]], of bytes: [UInt8], how: pj_how = PJ_AS_IMAGEIO
  ) throws(RasterFailure) -> [Int: [Raster]]? {
    var passes: [Int: DrawingPass] = [:]
    for (divisor, placements) in wanted { passes[divisor] = try DrawingPass(rows(divisor), placements) }
    return decode(bytes, into: passes, how) ? passes.mapValues(\.canvases) : nil
  }

  func rows(_ shrink: Int = 1) -> RowFormat {
    RowFormat(width: max(width / shrink, 1), height: max(height / shrink, 1), bands: bands, profile: profile)
  }

  /// - Returns: false where something is not in order.
  private func decode(_ bytes: [UInt8], into takers: [Int: any RowTaker], _ how: pj_how) -> Bool {
    var takers = takers
    let shrinks = takers.isEmpty ? 8 : takers.keys.reduce(0, |)
    return withUnsafePointer(to: info) { info in
      // fits: 15 and 3 at most.
      withUnsafeMutablePointer(to: &takers) {
        pj_decode(bytes, bytes.count, info, Int32(shrinks), Int32(how.rawValue), PlainJPEG.take, $0) == 0
      }
    }
  }

  /// All of it, with 1/`shrink` of the pixels a side; nil where something is not in order.
  func image(of bytes: [UInt8], shrink: Int = 1, how: pj_how = PJ_AS_IMAGEIO) -> Raster? {
    (try? images(of: bytes, shrinks: [shrink], how: how))?[shrink]
  }

  /// The same of several sizes, decoded once.
  func images(of bytes: [UInt8], shrinks: some Sequence<Int>, how: pj_how) throws(RasterFailure) -> [Int:
    Raster]?
  {
    var canvases: [Int: Canvas] = [:]
    for shrink in shrinks { canvases[shrink] = try Canvas(rows(shrink)) }
    return decode(bytes, into: canvases, how) ? canvases.mapValues(Raster.init) : nil
  }

  private static let take: pj_take = { takers, shrink, rows, stride, count in
    let takers = takers?.assumingMemoryBound(to: [Int: any RowTaker].self).pointee
    guard let taker = takers?[Int(shrink)] else { return 0 }
    return taker.take(rows: rows, stride: stride, count: count) ? 0 : -1
  }
}

/// A JPEG that a decoder complained of, written once more with the same coefficients.
struct MendedJPEG {
  let bytes: [UInt8]
  /// The first thing not in order; nil where only an end mark is missing.
  let complaint: String?

  /// - Parameter hasEnd: what cannot be read of a file without end mark is taken to be cut off.
  /// - Throws: what has lost a part of the picture, or cannot be read.
  init(_ bytes: [UInt8], hasEnd: Bool) throws(RasterFailure) {
    var file: UnsafeMutablePointer<UInt8>?
    var (count, words) = (0, [CChar](repeating: 0, count: Int(PJ_WORDS)))
    let status = pj_mend(bytes, bytes.count, &file, &count, &words)
    defer { pj_free(file) }
    let said = String(decoding: words.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    guard status == PJ_WHOLE || status == PJ_ODD else {
      throw RasterFailure(
        isMemory: status == PJ_NO_MEMORY, isCut: status == PJ_CUT || (status == PJ_BROKEN && !hasEnd),
        detail: said.isEmpty ? "a part of it never comes" : said)
    }
    self.bytes = [UInt8](UnsafeBufferPointer(start: file, count: count))
    complaint = status == PJ_ODD ? said : nil
  }
}
