import Pictures

/// One picture and all that is to be made of it. Travels to a worker process as a frame
/// (`RenderFrame`), the picture's bytes behind it.
package struct RenderRequest: Codable, Hashable, Sendable {
  /// Grows when a field changes its meaning; a worker refuses what it does not know.
  package static let wireVersion = 6

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
  /// The worker says a word after each result, so that each has its own time; nil is no.
  package var reportsProgress: Bool?
  /// The process that answers makes way for a fresh one, so that what a decoder leaks has an end; nil is no.
  package var isLast: Bool?

  package init(
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

  package typealias Output = RenderOutput
  package typealias Encoding = OutputEncoding
}
