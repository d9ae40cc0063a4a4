import Pictures

/// One picture and all that is to be made of it. Travels to a worker process as a frame
/// (`RenderFrame`), the picture's bytes behind it.
package struct RenderRequest: Codable, Hashable, Sendable {
  /// Grows when a field changes its meaning; a worker refuses what it does not know.
  package static let wireVersion = 3

  /// How much of a file is fetched for its embedded thumbnail: a JPEG's EXIF segment has at most 64 KiB
  /// (Exif 2.32, section 4.7.1) and stands at the file's beginning.
  package static let headBytes = 65_536

  package var wireVersion = RenderRequest.wireVersion
  /// What the bytes behind the request are.
  package var input: Input
  package var outputs: [Output]
  package var limits: RenderLimits
  /// Formats that may be decoded; anything else is refused by name.
  package var formats: Set<ImageFormat>
  /// Also refuse what decoders only warn about (`--strict`).
  package var isStrict: Bool
  /// The answer is to say what took how long; nil is no.
  package var recordsIntervals: Bool?

  init(
    input: Input = .encoded, outputs: [Output], limits: RenderLimits = RenderLimits(),
    formats: Set<ImageFormat> = ImageFormat.trusted, isStrict: Bool = false
  ) {
    self.input = input
    self.outputs = outputs
    self.limits = limits
    self.formats = formats
    self.isStrict = isStrict
  }

  package enum Input: Codable, Hashable, Sendable {
    /// A file's bytes, in one of the formats.
    case encoded
    /// The first ``RenderRequest/headBytes`` of a file: a result is drawn from the embedded thumbnail or
    /// fails as `truncated`, which means that the rest of the file is needed.
    case head
    /// A picture that is decoded already, for instance the result of earlier steps.
    case pixels(RenderPixels)
  }

  /// One result. No steps and `.original` means: prove that the bytes decode to their end.
  package struct Output: Codable, Hashable, Sendable {
    package var steps: [RenderStep]
    package var encoding: Encoding
    package var embedded: EmbeddedUse

    package init(steps: [RenderStep], encoding: Encoding, embedded: EmbeddedUse = .client) {
      self.steps = steps
      self.encoding = encoding
      self.embedded = embedded
    }
  }

  package enum Encoding: Codable, Hashable, Sendable {
    /// The source's own bytes are kept; they are only checked.
    case original
    /// JPEG where the bitmap has no alpha channel, PNG where it has one. `keepsGIF`: a GIF source
    /// is kept as its own bytes, whatever the steps (Nuke 12.1.0 and later).
    case automatic(jpegQuality: Int, keepsGIF: Bool)
    /// Alpha is flattened onto white.
    case jpeg(quality: Int)
    case png
    /// JPEG where the source is one and the bitmap has no alpha channel, PNG otherwise: what
    /// Kingfisher's `DefaultCacheSerializer` writes, but that an alpha channel is never lost.
    case likeSource(jpegQuality: Int)
    /// As a job asks for in detail.
    case recipe(EncodingRecipe)
    /// Not encoded: premultiplied pixels as ``RenderPixels`` describes them.
    case pixels
  }
}
