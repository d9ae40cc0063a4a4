/// Bounds on what a stranger's image may cost.
public struct RenderLimits: Codable, Hashable, Sendable {
  /// Width times height of the source, read from its header by our own parser, and of any result.
  public var maxPixels: Int
  /// Longest side of source and result.
  public var maxSide: Int
  /// Canvas times frames of an animated source.
  public var maxAnimationPixels: Int
  /// Compressed bytes.
  public var maxBytes: Int
  /// Estimated bytes that decoding holds, compressed bytes included.
  /// The default leaves 64 MiB of 512 for the rest of a worker process.
  public var maxDecodeBytes: Int
  /// Seconds of a processor's time for each result; a worker that takes longer over one is killed.
  public var seconds: Double

  /// The defaults, as far as none is given.
  public init(
    maxPixels: Int = 50_000_000, maxSide: Int = 65_535, maxAnimationPixels: Int = 1_000_000_000,
    maxBytes: Int = 100 << 20, maxDecodeBytes: Int = 448 << 20, seconds: Double = 20
  ) {
    self.maxPixels = maxPixels
    self.maxSide = maxSide
    self.maxAnimationPixels = maxAnimationPixels
    self.maxBytes = maxBytes
    self.maxDecodeBytes = maxDecodeBytes
    self.seconds = seconds
  }

  /// Memory of one worker process by default.
  package static let workerBytes = 512 << 20

  /// What decoding may hold of a worker's memory: libraries and results need the rest.
  package static func decodeBytes(ofWorker bytes: Int) -> Int { max(bytes - (64 << 20), 16 << 20) }
}

extension RenderLimits {
  /// Whether a picture may be decoded, by its header alone.
  ///
  /// - Throws: ``RenderFailure`` with the code `limit`; the message says which number stands against which limit.
  package func check(_ header: ImageHeader, byteCount: Int) throws(RenderFailure) {
    try check(byteCount: byteCount)
    try check(width: header.width, height: header.height, of: "the picture")
    let all = product(header.width, header.height, header.frames)
    guard header.frames == 1 || all <= maxAnimationPixels else {
      throw refusal(
        "\(header.frames) frames of \(header.width) x \(header.height) are \(all) pixels",
        .maxAnimationPixels, "\(maxAnimationPixels)")
    }
    let memory = decodeMemoryEstimate(header, byteCount: byteCount)
    guard memory <= maxDecodeBytes else {
      let kind = header.isInterlaced && header.format != .gif ? "interlaced or progressive " : ""
      throw refusal(
        "decoding this \(kind)\(header.format.name) of \(header.width) x \(header.height) "
          + "would take about \(memory >> 20) MiB", .maxDecodeBytes, "\(maxDecodeBytes >> 20) MiB")
    }
  }

  /// - Throws: ``RenderFailure`` with the code `limit`.
  package func check(byteCount: Int) throws(RenderFailure) {
    guard byteCount <= maxBytes else {
      throw refusal("the picture has \(byteCount) bytes", .maxBytes, "\(maxBytes)")
    }
  }

  /// Holds for a result as well as for a source.
  ///
  /// - Parameter subject: begins the message, for instance "the result".
  /// - Throws: ``RenderFailure`` with the code `limit`.
  package func check(width: Int, height: Int, of subject: String) throws(RenderFailure) {
    guard max(width, height) <= maxSide else {
      throw refusal("\(subject) is \(width) x \(height) pixels", .maxSide, "\(maxSide) a side")
    }
    let pixels = product(width, height)
    guard pixels <= maxPixels else {
      throw refusal("\(subject) is \(width) x \(height), \(pixels) pixels", .maxPixels, "\(maxPixels)")
    }
  }

  /// - Parameter size: of one frame of an animated result, whose frames are in memory together.
  /// - Throws: ``RenderFailure`` with the code `limit`.
  package func check(frames: Int, of size: PixelSize, channels: Int) throws(RenderFailure) {
    let pixels = product(size.width, size.height, frames)
    guard pixels <= maxAnimationPixels else {
      throw refusal(
        "\(frames) frames of \(size.width) x \(size.height) in the result are \(pixels) pixels",
        .maxAnimationPixels, "\(maxAnimationPixels)")
    }
    let bytes = product(pixels, channels)
    guard bytes <= maxDecodeBytes else {
      throw refusal(
        "the result's \(frames) frames take \(bytes >> 20) MiB", .maxDecodeBytes,
        "\(maxDecodeBytes >> 20) MiB")
    }
  }

  /// About how many bytes a decoder of this format holds at once, without the results.
  ///
  /// Formats that come line by line cost a strip. A multi-scan JPEG keeps all its coefficients, two
  /// bytes each, and the rest keep whole planes (measured with libvips 8.14: a progressive JPEG of
  /// 12,000 x 12,000 took 451 MB and a baseline one 41 MB).
  package func decodeMemoryEstimate(_ header: ImageHeader, byteCount: Int = 0) -> Int {
    let pixels = product(header.width, header.height)
    let sampleBytes = ((header.bitsPerSample ?? 8) + 7) / 8
    let plane = product(pixels, header.channels, sampleBytes)
    let strip = product(header.width, min(header.height, 256), header.channels, sampleBytes)
    let decoder = header.format.facts.decoderMemory(header, plane, strip)
    let (sum, overflow) = decoder.addingReportingOverflow(byteCount)
    return overflow ? .max : sum
  }

  private func refusal(_ what: String, _ name: Name, _ limit: String) -> RenderFailure {
    RenderFailure(.limit, "\(what), and the limit is \(limit) (\(name.rawValue))")
  }

  /// A limit by its property. A job and the command call it by the name of a setting, which is the raw value.
  package enum Name: String, CaseIterable, Sendable {
    case maxPixels = "max-pixels"
    case maxSide = "max-side"
    case maxAnimationPixels = "max-animation-pixels"
    case maxBytes = "max-bytes"
    case maxDecodeBytes = "max-memory"
  }
}
