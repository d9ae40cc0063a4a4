import Pictures

/// Looks for the best quality that keeps a file within a number of bytes.
///
/// Bisection over whole qualities: seven encodings at most, for 100 qualities. Sizes are taken to grow with the
/// quality; where they do not, the result still keeps the limit.
struct SizeSearch {
  /// Bytes.
  var limit: Int

  /// Below it a picture shows nothing but its blocks.
  static let leastQuality = 10

  /// The best that fits. Where nothing does, the smallest that was made, with a note: an entry that is too
  /// large serves an app better than none.
  func run(
    _ format: EncodingRecipe.Format,
    _ encode: (EncodingRecipe.Format) throws(RenderFailure) -> OutputEncoder.File
  ) throws(RenderFailure) -> OutputEncoder.File {
    var best = try encode(format)
    guard best.bytes.count > limit else { return best }
    guard let quality = format.quality, quality > Self.leastQuality else { return noted(best) }
    var attempt = try encode(format.with(quality: Self.leastQuality))
    guard attempt.bytes.count <= limit else {
      return noted(attempt.bytes.count < best.bytes.count ? attempt : best)
    }
    var (low, high) = (Self.leastQuality, quality)
    best = attempt
    while high - low > 1 {
      let middle = (low + high) / 2
      attempt = try encode(format.with(quality: middle))
      if attempt.bytes.count <= limit {
        (low, best) = (middle, attempt)
      } else {
        high = middle
      }
    }
    best.note = "quality \(low) in place of \(quality), to fit \(limit) bytes"
    return best
  }

  private func noted(_ file: OutputEncoder.File) -> OutputEncoder.File {
    var file = file
    file.note = "\(file.bytes.count) bytes, which is the least, do not fit \(limit)"
    return file
  }
}
