/// What a picture says about itself before anything is decoded, read by our own bounded parsers.
///
/// A decoder must not see bytes that this did not accept: the search for a loader is itself open to
/// attack (libvips 8.14 hangs in it on a short gzip body), and a picture's cost is known from here.
public struct ImageHeader: Sendable, Hashable {
  public var format: ImageFormat
  /// Stored pixels, before any EXIF rotation. For GIF the larger of the logical screen and all
  /// frames, for HEIF and AVIF the largest picture in the file.
  public var width: Int
  public var height: Int
  /// Pictures in the file: frames of an animation, pages of a TIFF.
  public var frames: Int
  /// The decoder needs several passes and so holds whole planes: an interlaced PNG, a progressive
  /// or otherwise multi-scan JPEG. For GIF: some frame is interlaced, which costs nothing.
  public var isInterlaced: Bool
  /// Nil where the header does not say.
  public var bitsPerSample: Int?
  /// Samples a decoded pixel has, alpha and expanded palettes counted.
  public var channels: Int
  /// A hint: the decoded picture is what counts. Nil where the header does not say.
  public var hasAlpha: Bool?
  /// Samples in all planes of one frame as stored, so that subsampled chroma counts less.
  public var storedSamples: Int
  /// False where the bytes stop before the format's own end mark or before the length it promises.
  /// TIFF has neither, so it is always true there.
  public var isComplete: Bool

  init(
    format: ImageFormat, width: Int, height: Int, frames: Int = 1, isInterlaced: Bool = false,
    bitsPerSample: Int? = 8, channels: Int, hasAlpha: Bool? = nil, storedSamples: Int? = nil,
    isComplete: Bool = true
  ) {
    self.format = format
    self.width = width
    self.height = height
    self.frames = frames
    self.isInterlaced = isInterlaced
    self.bitsPerSample = bitsPerSample
    self.channels = channels
    self.hasAlpha = hasAlpha
    self.storedSamples = storedSamples ?? product(width, height, channels)
    self.isComplete = isComplete
  }

  /// Reads the header of a picture in any format of the table.
  ///
  /// - Throws: ``RenderFailure`` with the code `format` for anything else, `truncated` where the
  ///   bytes end before the size is known, `damaged` where they contradict the format.
  public static func read(_ bytes: [UInt8]) throws(RenderFailure) -> ImageHeader {
    guard let format = ImageFormat.sniff(bytes) else { throw ForeignFormat.refusal(of: bytes) }
    let source = HeaderBytes(bytes: bytes, format: format)
    let header =
      switch format {
      case .jpeg: try readJPEG(source)
      case .png: try readPNG(source)
      case .gif: try readGIF(source)
      case .webp: try readWebP(source)
      case .tiff: try readTIFF(source)
      case .heif, .avif: try readHEIF(source)
      }
    guard header.width > 0, header.height > 0 else {
      throw source.damaged("says that it is \(header.width) x \(header.height) pixels")
    }
    return header
  }
}

/// The product of sizes that strangers chose: stays at the largest number instead of overflowing.
func product(_ factors: Int...) -> Int {
  factors.reduce(1) { result, factor in
    let (value, overflow) = result.multipliedReportingOverflow(by: factor)
    return overflow ? .max : value
  }
}
