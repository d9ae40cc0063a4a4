/// What a worker made of a ``RenderRequest``. The encoded bytes travel behind it, one after the other.
public struct RenderAnswer: Codable, Hashable, Sendable {
  /// Nil where the header could not be read, and for a picture that came as pixels.
  public var source: SourceInfo?
  /// In the order of the request's outputs.
  public var outputs: [OutputResult]
  /// What took how long, where the request asked for it.
  public var intervals: [RenderInterval]?
  /// How the process ended that had the picture, as `waitpid` says it; there are no outputs then.
  public var death: Int32?

  public init(source: SourceInfo?, outputs: [OutputResult]) {
    self.source = source
    self.outputs = outputs
  }

  /// An answer in place of one that will not come.
  public init(death: Int32) {
    self.init(source: nil, outputs: [])
    self.death = death
  }

  public struct SourceInfo: Codable, Hashable, Sendable {
    public var format: ImageFormat
    /// Stored pixels, before EXIF rotation.
    public var width: Int
    public var height: Int
    /// EXIF orientation, 1 to 8.
    public var orientation: Int
    public var hasAlpha: Bool
    public var frames: Int

    public init(
      format: ImageFormat, width: Int, height: Int, orientation: Int, hasAlpha: Bool, frames: Int
    ) {
      self.format = format
      self.width = width
      self.height = height
      self.orientation = orientation
      self.hasAlpha = hasAlpha
      self.frames = frames
    }
  }

  public enum OutputResult: Codable, Hashable, Sendable {
    /// `byteCount` bytes of the payload; pixels of the result as stored.
    case encoded(format: ImageFormat, width: Int, height: Int, byteCount: Int, note: String?)
    /// ``RenderPixels/byteCount`` bytes of the payload.
    case pixels(RenderPixels, note: String?)
    /// The source's own bytes are the result.
    case original
    case failed(RenderFailure)
  }
}

extension RenderAnswer.OutputResult {
  /// Bytes that it has in the payload; the largest number where it makes no sense.
  public var payloadBytes: Int {
    switch self {
    case .encoded(_, let width, let height, let byteCount, _):
      width > 0 && height > 0 && byteCount > 0 ? byteCount : .max
    case .pixels(let pixels, _): pixels.byteCount
    case .original, .failed: 0
    }
  }
}
