/// Whether a picture is whole, seen from its structure alone: nothing is decoded, so it costs next to nothing.
///
/// It finds what networks and disks do to a file: a missing end, a hole, a page of HTML in its place, flipped
/// bits in a PNG. Damage inside the compressed data of the other formats only a decoder sees.
package enum PictureStructure {
  /// Whether a picture's markers do not show that: see ``ImageHeader/isLeftToDecoder``.
  package static func isLeftToDecoder(_ bytes: [UInt8]) -> Bool {
    // Most files end with the mark. Compared with an array, a suffix would be one: made by going through all bytes.
    if bytes.suffix(2).elementsEqual([0xFF, 0xD9]) { return false }
    return (try? ImageHeader.read(bytes))?.isLeftToDecoder ?? false
  }

  /// Reads a picture from its first to its last mark.
  ///
  /// JPEG needs its end mark, PNG sound checksums and `IEND`, GIF whole blocks, WebP the length that RIFF
  /// promises and image data in it, TIFF all strips or tiles, HEIF and AVIF whole boxes, SVG its last tag. What comes
  /// behind the end of other formats than SVG does not matter.
  ///
  /// - Parameters:
  ///   - formats: what may be in it.
  ///   - limits: bounds on its size.
  /// - Throws: ``RenderFailure`` with the code `format`, `truncated`, `damaged` or `limit`.
  @discardableResult
  package static func check(
    _ bytes: [UInt8], formats: Set<ImageFormat> = ImageFormat.trusted, limits: RenderLimits = RenderLimits()
  ) throws(RenderFailure) -> ImageHeader {
    let header = try ImageHeader.read(bytes)
    guard formats.contains(header.format) else {
      throw RenderFailure(
        .format, "this is \(header.format.article) \(header.format.name) picture, which is not allowed",
        advice: header.format.facts.isDecoded
          ? nil : "its bytes can be stored as they are, if \(header.format.name) is allowed by name")
    }
    try limits.check(header, byteCount: bytes.count)
    let source = HeaderBytes(bytes, header.format)
    guard header.isComplete else {
      throw RenderFailure(
        .truncated, "the \(header.format.name) picture has no end: only \(bytes.count) bytes of it came")
    }
    try header.format.facts.checkStructure(source)
    return header
  }

  /// Whether a picture's end may be missing, where nothing but its bytes can say so: a GIF needs its trailer, a JPEG its
  /// end mark, a TIFF all pages. Bytes of another kind pass, and fail by their format.
  package static func mayBeCut(_ bytes: [UInt8]) -> Bool {
    do throws(RenderFailure) {
      let header = try ImageHeader.read(bytes)
      let source = HeaderBytes(bytes, header.format)
      try header.format.facts.checkStructure(source)
      if header.format == .tiff { try checkPages(source) }
      return !header.isComplete || !header.hasOwnEnd
    } catch {
      return error.code != .format || bytes.count < leastBytes
    }
  }

  /// Fewer may be the beginning of a picture.
  private static let leastBytes = 16
}

extension ImageFormat {
  fileprivate var article: String { name.hasPrefix("A") || name.hasPrefix("S") ? "an" : "a" }
}
