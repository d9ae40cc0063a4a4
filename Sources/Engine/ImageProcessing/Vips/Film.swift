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
}

/// Drawn frames, one below the other, on their way into one file.
struct Film {
  private let info: FilmInfo
  private let image: VipsImage
  private let pixels: UnsafeMutableRawPointer
  private var added = 0

  var width: Int { image.width }
  var height: Int { image.height / info.count }

  /// - Parameter frame: the first of them, in memory.
  init(_ info: FilmInfo, like frame: VipsImage) throws(VipsFailure) {
    var pixels: UnsafeMutableRawPointer?
    // fits: its pixels have been held against the limits.
    let image = try VipsImage.make {
      pv_image_new(Int32(frame.width), Int32(frame.height * info.count), Int32(frame.bands), $0, &pixels)
    }
    guard let pixels else { throw VipsFailure(isMemory: true, detail: "no memory for the frames") }
    (self.info, self.image, self.pixels) = (info, image, pixels)
  }

  mutating func add(_ frame: VipsImage) throws(VipsFailure) {
    var count = 0
    guard (frame.width, frame.height, frame.bands) == (width, height, image.bands), added < info.count,
      let bytes = pv_image_pixels(frame.handle, &count)
    else { throw VipsFailure(isMemory: false, detail: "the frames are not alike") }
    pixels.advanced(by: added * count).copyMemory(from: bytes, byteCount: count)
    added += 1
  }

  /// - Parameter options: nil for GIF.
  func encoded(asWebP options: EncodingRecipe.WebP?) throws(VipsFailure) -> [UInt8] {
    try VipsImage.check(
      pv_set_frames(image.handle, Int32(height), info.delays, Int32(info.delays.count), info.loop))
    guard let options else { return try image.save("gifsave_buffer") }
    return try image.save(
      "webpsave_buffer", "Q=\(min(max(options.quality, 1), 100))", "lossless=\(options.isLossless)",
      "effort=\(min(max(options.effort, 0), 6))")
  }
}

extension VipsImage {
  /// Upright and in memory, of an image with all frames.
  func frame(_ index: Int, of info: FilmInfo) throws(VipsFailure) -> VipsImage {
    let frame = try VipsImage.make {
      pv_crop(handle, 0, Int32(index * info.height), Int32(width), Int32(info.height), $0)
    }
    return try frame.inMemory().turned(orientation)
  }

  /// Of an image with all frames.
  var filmInfo: FilmInfo {
    let frames = pv_frames(handle)
    let delays = UnsafeBufferPointer(start: frames.delays, count: Int(frames.delay_count))
    return FilmInfo(
      count: self.height / Int(frames.height), height: Int(frames.height), delays: Array(delays),
      loop: frames.loop)
  }
}
