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
  /// Estimated bytes that decoding holds, compressed bytes included (``decodeMemoryEstimate(_:byteCount:)``).
  /// The default leaves 64 MiB of 512 for the rest of a worker process.
  public var maxDecodeBytes: Int
  /// Seconds for one source with all its results; then the worker is killed.
  public var seconds: Double

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

  /// Memory of one worker process, where nobody asks for another number.
  public static let workerBytes = 512 << 20

  /// What decoding may hold of a worker's memory: libraries and results need the rest.
  public static func decodeBytes(ofWorker bytes: Int) -> Int { max(bytes - (64 << 20), 16 << 20) }
}
