import Glibc
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
      info.delays.append(FilmInfo.shown(Int32(frame.delay * 10)))
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
    if let frame = next(&blocks) { try draw(frame, on: canvas) }
    return Raster(canvas)
  }

  /// Gives one frame after the other, as it shows on those before it.
  func film() throws -> () throws -> Raster {
    var blocks = try? GIFBlocks(bytes)
    var canvas = try blank(hasAlpha: filmHasAlpha)
    var before: (place: GIFFrame.Place, canvas: Canvas?)?
    return {
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
      try draw(frame, on: canvas)
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
    let wanted = frame.place.width * frame.place.height
    let (count, isReadable) = bytes.withUnsafeBytes { GIFCodes.read(wanted, of: $0, at: frame.data) }
    return (wanted - count, isReadable)
  }

  private func blank(hasAlpha: Bool) throws(RasterFailure) -> Canvas {
    let canvas = try Canvas(
      RowFormat(width: width, height: height, bands: hasAlpha ? 4 : 3, profile: []))
    canvas.pixels.initializeMemory(as: UInt8.self, repeating: 0)
    return canvas
  }

  private func copy(of canvas: Canvas) throws(RasterFailure) -> Canvas {
    let copy = try Canvas(canvas.rows)
    copy.pixels.copyMemory(from: UnsafeRawBufferPointer(canvas.pixels))
    return copy
  }

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
  private func draw(_ frame: GIFFrame, on canvas: Canvas) throws(RasterFailure) {
    let place = frame.place
    let (wide, high) = (min(place.width, width - place.left), min(place.height, height - place.top))
    guard wide > 0, high > 0, let pixels = canvas.pixels.baseAddress else { return }
    let rows =
      frame.isInterlaced
      ? [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { Array(stride(from: $0.0, to: place.height, by: $0.1)) }
      : Array(0..<high)
    let wanted = place.width * rows.count
    guard let indexes = malloc(GIFCodes.lead + wanted + GIFCodes.slack)?.assumingMemoryBound(to: UInt8.self)
    else { throw DrawingPass.noMemory }
    defer { free(indexes) }
    let count = bytes.withUnsafeBytes { GIFCodes.read(wanted, of: $0, at: frame.data, into: indexes).count }
    // A file that ends before its codes may have no colours either.
    if count == 0 { return }
    let bands = canvas.rows.bands
    colors(of: frame).withUnsafeBufferPointer { colors in
      for (row, y) in rows.enumerated() where y < high && row * place.width < count {
        Self.paint(
          indexes + GIFCodes.lead + row * place.width, min(wide, count - row * place.width), colors,
          frame.transparent,
          on: pixels + ((place.top + y) * width + place.left) * bands, bands)
      }
    }
  }

  private static func paint(
    _ indexes: UnsafePointer<UInt8>, _ count: Int, _ colors: UnsafeBufferPointer<UInt32>, _ transparent: Int?,
    on pixels: UnsafeMutableRawPointer, _ bands: Int
  ) {
    // Without alpha no index is transparent. A pixel spills into the next, except for the last.
    let free = transparent ?? 256
    for x in 0..<(bands == 4 ? count : count - 1) where Int(indexes[x]) != free {
      pixels.storeBytes(of: colors[Int(indexes[x])], toByteOffset: bands * x, as: UInt32.self)
    }
    if bands == 4 { return }
    withUnsafeBytes(of: colors[Int(indexes[count - 1])]) {
      (pixels + 3 * (count - 1)).copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(pixels), byteCount: 3)
    }
  }

  /// Red, green, blue and an opaque alpha, in this order in memory, of all indexes that there can be.
  private func colors(of frame: GIFFrame) -> [UInt32] {
    // A file without colours means black and white.
    let palette = frame.palette.isEmpty ? [0, 0, 0, 255, 255, 255] : bytes[frame.palette]
    var colors = [UInt32](repeating: 0xFF00_0000, count: 256)
    for (index, level) in palette.enumerated() { colors[index / 3] |= UInt32(level) << (8 * (index % 3)) }
    return colors.map(\.littleEndian)
  }
}
