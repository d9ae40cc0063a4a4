import Pictures

/// A GIF, decoded by code of our own. libvips has no transparency where no frame has a transparent colour, though what no
/// frame covers, and what is cleared between two frames, is transparent.
struct GIFPicture {
  let width: Int
  let height: Int
  private(set) var info: FilmInfo
  /// Something can be transparent: in the first frame, in any frame.
  private(set) var stillHasAlpha = false
  private(set) var filmHasAlpha = false
  /// Some frame's codes end before its last row, or make no sense.
  private var isShort = false
  private var isDamaged = false
  /// Some frame lacks a part of its last row.
  private(set) var isRagged = false

  private let bytes: [UInt8]

  /// Counts the pixels of all frames, which costs less than to draw one of them.
  ///
  /// - Parameter isStrict: the last row has to be whole too.
  init(_ bytes: [UInt8], _ header: ImageHeader, isStrict: Bool) {
    self.bytes = bytes
    (width, height) = (header.width, header.height)
    info = FilmInfo(count: 0, height: height, delays: [], loop: 1)
    // Transparent before a frame is drawn, though no colour is.
    var hole: GIFFrame.Place? = .init(left: 0, top: 0, width: width, height: height)
    var blocks = try? GIFBlocks(bytes)
    while let frame = next(&blocks) {
      let (missing, isReadable) = missing(in: frame)
      if !isReadable { isDamaged = true }
      if missing >= (isStrict ? 1 : frame.place.width), missing > 0 { isShort = true }
      if missing > 0 { isRagged = true }
      let hasHole = missing > 0 || hole.map { !frame.place.covers($0, within: (width, height)) } ?? false
      if frame.transparent != nil || hasHole && info.count == 0 { stillHasAlpha = true }
      if stillHasAlpha || hasHole { filmHasAlpha = true }
      switch frame.disposal {
      case .stays: hole = nil
      case .isCleared: hole = frame.place
      case .isTakenBack: break
      }
      info.count += 1
      // fits: 16 bits in the file.
      info.delays.append(Int32(frame.delay * 10))
    }
    // A GIF counts how often it plays again, libvips how often it plays. fits: 16 bits in the file.
    info.loop = blocks?.loop.map { $0 == 0 ? 0 : Int32($0) + 1 } ?? 1
  }

  func requireWhole() throws(RasterFailure) {
    guard isShort || isDamaged else { return }
    throw RasterFailure(isMemory: false, isCut: !isDamaged, detail: "a frame lacks some of its pixels")
  }

  /// The first frame.
  func still() throws(RasterFailure) -> Raster {
    var blocks = try? GIFBlocks(bytes)
    let canvas = try blank(hasAlpha: stillHasAlpha)
    if let frame = next(&blocks) { draw(frame, on: canvas) }
    return Raster(canvas)
  }

  /// Gives one frame after the other, as it shows on those before it.
  func film() throws(RasterFailure) -> () throws(RasterFailure) -> Raster {
    var blocks = try? GIFBlocks(bytes)
    var canvas = try blank(hasAlpha: filmHasAlpha)
    var before: (place: GIFFrame.Place, canvas: Canvas?)?
    return { () throws(RasterFailure) in
      if let old = before?.canvas { canvas = old } else if let before { clear(before.place, on: canvas) }
      before = nil
      guard let frame = next(&blocks) else {
        throw RasterFailure(isMemory: false, detail: "there are no more frames")
      }
      switch frame.disposal {
      case .stays: break
      case .isCleared: before = (frame.place, nil)
      case .isTakenBack: before = (frame.place, try copy(of: canvas))
      }
      draw(frame, on: canvas)
      return Raster(try copy(of: canvas))
    }
  }

  /// A frame without a size has the canvas's where it has as many pixels, as browsers have it, and else covers nothing.
  private func next(_ blocks: inout GIFBlocks?) -> GIFFrame? {
    guard var frame = try? blocks?.next() else { return nil }
    guard frame.place.isEmpty else { return frame }
    let empty = frame
    (frame.place.width, frame.place.height) = (width, height)
    return missing(in: frame).pixels == 0 ? frame : empty
  }

  private func missing(in frame: GIFFrame) -> (pixels: Int, isReadable: Bool) {
    var missing = frame.place.width * frame.place.height
    guard missing > 0 else { return (0, true) }
    guard var codes = GIFCodes(bytes, at: frame.data) else { return (missing, false) }
    while missing > 0 {
      switch codes.next() {
      case .string(let code): missing -= codes.length(of: code)
      case .end: return (missing, true)
      case .damaged: return (missing, false)
      }
    }
    return (0, true)
  }

  private func blank(hasAlpha: Bool) throws(RasterFailure) -> Canvas {
    let rows = RowFormat(width: width, height: height, bands: hasAlpha ? 4 : 3, profile: [])
    guard let canvas = Canvas(rows) else { throw Self.noMemory }
    canvas.pixels.initializeMemory(as: UInt8.self, repeating: 0)
    return canvas
  }

  private func copy(of canvas: Canvas) throws(RasterFailure) -> Canvas {
    guard let copy = Canvas(canvas.rows) else { throw Self.noMemory }
    copy.pixels.copyMemory(from: UnsafeRawBufferPointer(canvas.pixels))
    return copy
  }

  private static let noMemory = RasterFailure(isMemory: true, detail: "no memory for a frame")

  private func clear(_ place: GIFFrame.Place, on canvas: Canvas) {
    let (bands, right) = (canvas.rows.bands, min(place.right, width))
    guard place.left < right else { return }
    for y in place.top..<max(min(place.bottom, height), place.top) {
      let row = (y * width + place.left) * bands..<(y * width + right) * bands
      UnsafeMutableRawBufferPointer(rebasing: canvas.pixels[row])
        .initializeMemory(as: UInt8.self, repeating: 0)
    }
  }

  /// Leaves out the part of it that lies outside of the canvas.
  private func draw(_ frame: GIFFrame, on canvas: Canvas) {
    guard !frame.place.isEmpty, var codes = GIFCodes(bytes, at: frame.data) else { return }
    let (place, bands) = (frame.place, canvas.rows.bands)
    let (wide, high) = (
      max(min(place.width, width - place.left), 0), max(min(place.height, height - place.top), 0)
    )
    let rows =
      frame.isInterlaced
      ? [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { Array(stride(from: $0.0, to: place.height, by: $0.1)) }
      : Array(0..<high)
    // A file without colours means black and white.
    var palette = frame.palette.isEmpty ? [0, 0, 0, 255, 255, 255] : Array(bytes[frame.palette])
    palette += [UInt8](repeating: 0, count: 3 * 256 - palette.count)
    let transparent = frame.transparent ?? 256
    var indexes = [UInt8](repeating: 0, count: GIFCodes.longest)
    var (x, row) = (0, 0)
    while row < rows.count, case .string(let code) = codes.next() {
      for index in indexes[..<codes.write(code, to: &indexes)] where row < rows.count {
        if x < wide, rows[row] < high, index != transparent {
          let at = ((place.top + rows[row]) * width + place.left + x) * bands
          for band in 0..<3 { canvas.pixels[at + band] = palette[3 * Int(index) + band] }
          if bands == 4 { canvas.pixels[at + 3] = 255 }
        }
        x += 1
        if x == place.width { (x, row) = (0, row + 1) }
      }
    }
  }
}
