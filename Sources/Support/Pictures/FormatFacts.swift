/// Everything that the program asks about an image format, except for how it is written.
///
/// A format is one such value beside its parsers in `Formats`, and a case of ``ImageFormat``. A format that
/// `encode` can make has a case of ``EncodingRecipe/Format`` too, a saver in the worker and a word in the job.
package struct FormatFacts: Sendable {
  /// As people write it.
  package var name: String
  /// What our own encoder makes of it, where that has a narrower name.
  package var writtenName: String?
  /// Decoded without being asked for. The others have to be allowed by name.
  package var isTrusted: Bool
  /// A worker draws it. Else its bytes are stored as they came, where it is allowed by name.
  package var isDecoded = true
  /// A number that no other format has; nil for one that is not drawn. A release that draws the same steps to other bytes
  /// gives the format the next one that is free.
  package var drawingVersion: Int?
  /// Endings of names: earlier releases, which had one drawing version for all formats, drew such files otherwise.
  package var endingsDrawnOtherwise: [String] = []
  /// Apple's uniform type identifier.
  package var uniformType: String
  /// Whether every browser of the last years shows it.
  package var isShownByBrowsers = true
  /// What devices need to decode it, as "iOS 14, macOS 11"; nil where all that run a client do.
  package var deviceNeeds: String?
  /// Pixels that a side of a written picture has at most; nil where the format holds all that we draw.
  package var longestWrittenSide: Int?

  /// libvips' decoder for it, chosen by us: libvips' own search asks every format's sniffer, and some of those
  /// hang or crash. Nil for a format that is decoded by code of our own.
  package var loader: String?
  /// libvips' option to decode a half, a quarter or an eighth of the pixels a side, of a format of which ImageIO decodes
  /// no more than a drawing needs; nil for the others.
  package var shrinking: String?
  /// Nothing of a cut file is to be trusted, because only the first frame is ever decoded and what stands
  /// behind the pixels counts too. Elsewhere the decoder tells whether pixels are missing.
  package var mustBeWhole = false
  /// How many of the first bytes say what it is.
  var headBytes = 64
  /// What the decoder holds, of two sizes in bytes: see ``RenderLimits/decodeMemoryEstimate(_:byteCount:)``.
  var decoderMemory: @Sendable (ImageHeader, _ plane: Int, _ strip: Int) -> Int

  /// Whether the first bytes are this format's.
  var begins: @Sendable ([UInt8]) -> Bool
  /// Whether the least significant byte of a number comes first.
  var isLittleEndian: @Sendable ([UInt8]) -> Bool = { _ in false }
  var readHeader: @Sendable (HeaderBytes) throws(RenderFailure) -> ImageHeader
  /// What ``ImageHeader/isComplete`` does not say about a picture's being whole.
  var checkStructure: @Sendable (HeaderBytes) throws(RenderFailure) -> Void = { _ in }
}

extension [UInt8] {
  /// Whether these characters stand at a place.
  func has(_ text: StaticString, at offset: Int = 0) -> Bool {
    text.withUTF8Buffer { dropFirst(offset).starts(with: $0) }
  }
}
