import CVips
import Pictures

/// How the frames of an animation follow one another.
struct FilmInfo {
  var count: Int
  /// Of one frame.
  var height: Int
  /// Milliseconds for each.
  var delays: [Int32]
  /// As libvips counts: 0 for ever.
  var loop: Int32

  /// A delay below 11 ms is a tenth of a second for the coders of SDWebImage 5, which alone store films
  /// (`SDImageIOAnimatedCoder.m`, `SDImageWebPCoder.m`).
  static func shown(_ delay: Int32) -> Int32 { delay < 11 ? 100 : delay }
}

/// Drawn frames, one below the other, on their way into one file.
struct Film {
  private let info: FilmInfo
  private let canvas: Canvas
  private let image: Raster

  var width: Int { canvas.rows.width }
  var height: Int { canvas.rows.height / info.count }

  /// - Parameter frame: the first of them, in memory.
  init(_ info: FilmInfo, like frame: Raster) throws(RasterFailure) {
    self.info = info
    canvas = try Canvas(
      RowFormat(width: frame.width, height: frame.height * info.count, bands: frame.bands, profile: []))
    image = Raster(canvas)
  }

  func add(_ frame: Raster) throws(RasterFailure) {
    // fits: its pixels have been held against the limits.
    guard (frame.width, frame.height, frame.bands) == (width, height, canvas.rows.bands),
      let pixels = frame.stored?.assumingMemoryBound(to: UInt8.self).baseAddress,
      canvas.take(rows: pixels, stride: frame.width * frame.bands, count: Int32(frame.height))
    else { throw RasterFailure(isMemory: false, detail: "the frames are not alike") }
  }

  /// - Parameter options: nil for GIF.
  func encoded(asWebP options: EncodingRecipe.WebP?) throws(RasterFailure) -> [UInt8] {
    try Raster.check(
      vips.set_frames(image.handle, Int32(height), info.delays, Int32(info.delays.count), info.loop))
    guard let options else { return try image.save("gifsave_buffer") }
    return withoutEXIF(
      try image.save(
        "webpsave_buffer", "Q=\(min(max(options.quality, 1), 100))", "lossless=\(options.isLossless)",
        "effort=\(min(max(options.effort, 0), 6))"))
  }
}

extension Raster {
  /// Upright and in memory, of an image with all frames.
  func frame(_ index: Int, of info: FilmInfo) throws(RasterFailure) -> Raster {
    let frame = try Raster.make {
      vips.crop(handle, 0, Int32(index * info.height), Int32(width), Int32(info.height), $0)
    }
    return try frame.inMemory().turned(orientation)
  }

  /// Of an image with all frames.
  var filmInfo: FilmInfo {
    let frames = vips.frames(handle)
    let delays = UnsafeBufferPointer(start: frames.delays, count: Int(frames.delay_count))
    return FilmInfo(
      count: self.height / Int(frames.height), height: Int(frames.height), delays: delays.map(FilmInfo.shown),
      loop: frames.loop)
  }
}
