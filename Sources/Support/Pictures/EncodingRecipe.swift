/// How a job wants its results written: a format with its options.
public struct EncodingRecipe: Codable, Hashable, Sendable {
  public var format: Format
  /// Bytes that a result should not exceed: the best quality is searched that meets them.
  public var fitBytes: Int?
  /// A GIF source is kept as its own bytes, whatever the steps (Nuke 12.1.0 and later).
  public var keepsGIF: Bool

  public init(_ format: Format, fitBytes: Int? = nil, keepsGIF: Bool = false) {
    self.format = format
    self.fitBytes = fitBytes
    self.keepsGIF = keepsGIF
  }

  public enum Format: Codable, Hashable, Sendable {
    /// PNG instead where the bitmap has an alpha channel.
    case jpeg(JPEG)
    case png(PNG)
    case webp(WebP)
    /// Needs a libheif with an HEVC encoder.
    case heic(quality: Int)
    /// Needs a libheif with an AV1 encoder.
    case avif(quality: Int)
    /// The source's own format where it can be written, so JPEG, PNG, WebP, HEIC and AVIF stay what they
    /// are; all others become JPEG, or PNG where the bitmap has an alpha channel.
    case source(quality: Int)
  }

  public struct JPEG: Codable, Hashable, Sendable {
    /// libjpeg's, 1 to 100.
    public var quality: Int
    public var isProgressive: Bool
    /// Huffman tables made for the picture: smaller, and a little slower.
    public var optimizesCoding: Bool
    public var chroma: Chroma

    public init(
      quality: Int = 80, isProgressive: Bool = false, optimizesCoding: Bool = true, chroma: Chroma = .auto
    ) {
      self.quality = quality
      self.isProgressive = isProgressive
      self.optimizesCoding = optimizesCoding
      self.chroma = chroma
    }
  }

  /// How many samples colours have.
  public enum Chroma: String, Codable, Hashable, Sendable, CaseIterable {
    /// Halved below a quality of 90.
    case auto
    /// 4:2:0, halved in both directions.
    case halved = "420"
    /// 4:4:4, all of them.
    case full = "444"
  }

  public struct PNG: Codable, Hashable, Sendable {
    /// zlib's, 0 to 9.
    public var compression: Int
    /// At most 256 colours, chosen for the picture and dithered.
    public var hasPalette: Bool

    public init(compression: Int = 6, hasPalette: Bool = false) {
      self.compression = compression
      self.hasPalette = hasPalette
    }
  }

  public struct WebP: Codable, Hashable, Sendable {
    /// libwebp's, 1 to 100.
    public var quality: Int
    public var isLossless: Bool
    /// libwebp's, 0 (fast) to 6 (small).
    public var effort: Int

    public init(quality: Int = 80, isLossless: Bool = false, effort: Int = 4) {
      self.quality = quality
      self.isLossless = isLossless
      self.effort = effort
    }
  }
}

extension EncodingRecipe.Format {
  /// The quality that a search for a size may lower; nil where the format has none.
  public var quality: Int? {
    switch self {
    case .jpeg(let options): options.quality
    case .webp(let options): options.isLossless ? nil : options.quality
    case .heic(let quality), .avif(let quality), .source(let quality): quality
    case .png: nil
    }
  }

  /// The same at another quality.
  public func with(quality: Int) -> Self {
    switch self {
    case .jpeg(var options):
      options.quality = quality
      return .jpeg(options)
    case .webp(var options):
      options.quality = quality
      return .webp(options)
    case .heic: return .heic(quality: quality)
    case .avif: return .avif(quality: quality)
    case .source: return .source(quality: quality)
    case .png: return self
    }
  }
}
