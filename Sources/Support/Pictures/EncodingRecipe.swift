/// How a job wants its results written: a format with its options.
package struct EncodingRecipe: Codable, Hashable, Sendable {
  package var format: Format
  /// Bytes that a result should not exceed: the best quality is searched that meets them.
  package var fitBytes: Int?

  package init(_ format: Format, fitBytes: Int? = nil) {
    self.format = format
    self.fitBytes = fitBytes
  }

  package enum Format: Codable, Hashable, Sendable {
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

  package struct JPEG: Codable, Hashable, Sendable {
    /// libjpeg's, 1 to 100.
    package var quality: Int
    package var isProgressive: Bool
    /// Huffman tables made for the picture: smaller, and a little slower.
    package var optimizesCoding: Bool
    package var chroma: Chroma

    package init(
      quality: Int = 80, isProgressive: Bool = false, optimizesCoding: Bool = true, chroma: Chroma = .auto
    ) {
      self.quality = quality
      self.isProgressive = isProgressive
      self.optimizesCoding = optimizesCoding
      self.chroma = chroma
    }
  }

  /// How many samples colours have.
  package enum Chroma: String, Codable, Hashable, Sendable, CaseIterable {
    /// Halved below a quality of 90.
    case auto
    /// 4:2:0, halved in both directions.
    case halved = "420"
    /// 4:4:4, all of them.
    case full = "444"
  }

  package struct PNG: Codable, Hashable, Sendable {
    /// zlib's, 0 to 9.
    package var compression: Int
    /// At most 256 colours, chosen for the picture and dithered.
    package var hasPalette: Bool

    package init(compression: Int = 6, hasPalette: Bool = false) {
      self.compression = compression
      self.hasPalette = hasPalette
    }
  }

  package struct WebP: Codable, Hashable, Sendable {
    /// libwebp's, 1 to 100.
    package var quality: Int
    package var isLossless: Bool
    /// libwebp's, 0 (fast) to 6 (small).
    package var effort: Int

    package init(quality: Int = 80, isLossless: Bool = false, effort: Int = 4) {
      self.quality = quality
      self.isLossless = isLossless
      self.effort = effort
    }
  }
}

extension ImageFormat {
  /// How it is written at a quality; nil for a format that is only read.
  package func recipe(quality: Int) -> EncodingRecipe.Format? {
    switch self {
    case .jpeg: .jpeg(.init(quality: quality))
    case .png: .png(.init())
    case .webp: .webp(.init(quality: quality))
    case .heif: .heic(quality: quality)
    case .avif: .avif(quality: quality)
    case .gif, .tiff, .svg: nil
    }
  }
}

extension EncodingRecipe.Format {
  /// The format that is written, unless a JPEG becomes a PNG; nil where the source decides.
  package var written: ImageFormat? {
    switch self {
    case .jpeg: .jpeg
    case .png: .png
    case .webp: .webp
    case .heic: .heif
    case .avif: .avif
    case .source: nil
    }
  }

  /// The quality that a search for a size may lower; nil where the format has none.
  package var quality: Int? {
    switch self {
    case .jpeg(let options): options.quality
    case .webp(let options): options.isLossless ? nil : options.quality
    case .heic(let quality), .avif(let quality), .source(let quality): quality
    case .png: nil
    }
  }

  /// The same at another quality.
  package func with(quality: Int) -> Self {
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

/// How results are encoded. An entry's word holds over its chain's, and that over the job's.
package enum EncodingChoice: Hashable, Sendable {
  /// The client's own choice; for Nuke JPEG 0.8, PNG where there is alpha.
  case client
  /// Quality 1 to 100; PNG where there is alpha.
  case jpeg(quality: Int)
  case png
  /// All that says more.
  case recipe(EncodingRecipe)

  /// The shortest way to say it, so that a default that is written out is the default.
  package init(_ recipe: EncodingRecipe) {
    switch recipe.format {
    case .jpeg(let options) where options == .init(quality: options.quality) && recipe.fitBytes == nil:
      self = .jpeg(quality: options.quality)
    case .png(let options) where options == .init() && recipe.fitBytes == nil:
      self = .png
    default:
      self = .recipe(recipe)
    }
  }
}

extension EncodingChoice {
  /// A format that was named holds for animated sources too; the client's own encoder, `jpeg` and `keep` leave them to
  /// the client.
  package var namesFormat: Bool {
    switch self {
    case .client, .jpeg: false
    case .png: true
    case .recipe(let recipe): recipe.format.written.map { $0 != .jpeg } ?? false
    }
  }
}
