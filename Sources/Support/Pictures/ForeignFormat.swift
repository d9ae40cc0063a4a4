/// Names for bytes that are not on our table, so that the refusal says what came instead of a picture.
package enum ForeignFormat {
  static func refusal(of bytes: [UInt8]) -> RenderFailure {
    guard !bytes.isEmpty else {
      return RenderFailure(.format, "it is empty, and holds no picture", advice: look)
    }
    let known = magic.first { bytes.dropFirst($0.offset).starts(with: $0.bytes) }
    if let name = known?.name ?? markup(bytes) {
      let advice = name.utf8.holds("not a picture") ? look : nil
      return RenderFailure(.format, "this is \(name)", advice: advice)
    }
    let start = bytes.prefix(4).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    return RenderFailure(
      .format,
      "this is not a picture of a known format (\(bytes.count) bytes that begin with "
        + "\(start.joined(separator: " "))); \(ImageFormat.allCases.filter(\.facts.isDecoded).names(joinedBy: "and")) are known"
    )
  }

  /// Another format of the picture would not help.
  package static let look =
    "look at what the URL answers: a login, a missing header or an expired link often ends so"

  /// Longer and more telling marks first.
  private static let magic: [(bytes: [UInt8], offset: Int, name: String)] = [
    ([0x1F, 0x8B], 0, "gzip data, not a picture (an SVGZ, or a body whose compression was not announced)"),
    (Array("%PDF-".utf8), 0, "a PDF document, not a picture"),
    ([0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20], 0, "a JPEG 2000 picture, which is not decoded"),
    ([0xFF, 0x4F, 0xFF, 0x51], 0, "a JPEG 2000 code stream, which is not decoded"),
    ([0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20], 0, "a JPEG XL picture, which is not decoded"),
    ([0xFF, 0x0A], 0, "a JPEG XL code stream, which is not decoded"),
    ([0x49, 0x49, 0x2B, 0], 0, "a BigTIFF picture, which is not decoded"),
    ([0x4D, 0x4D, 0, 0x2B], 0, "a BigTIFF picture, which is not decoded"),
    (Array("8BPS".utf8), 0, "a Photoshop document (PSD), which is not decoded"),
    ([0, 0, 1, 0], 0, "a Windows icon (ICO), which is not decoded; name its PNG or JPEG form instead"),
    ([0, 0, 2, 0], 0, "a Windows cursor, which is not decoded"),
    (Array("icns".utf8), 0, "an Apple icon (ICNS), which is not decoded"),
    (Array("ftyp".utf8), 4, "a video or another kind of ISO media file, not a picture"),
    (Array("WEBP".utf8), 8, "a WebP picture without its RIFF mark, so its start is missing"),
    (Array("RIFF".utf8), 0, "a RIFF file (sound or video), not a picture"),
    ([0x11, 0xAF], 4, "a FLI animation, which is not decoded"),
    ([0x12, 0xAF], 4, "a FLC animation, which is not decoded"),
    ([0x76, 0x2F, 0x31, 0x01], 0, "an OpenEXR picture, which is not decoded"),
    (Array("qoif".utf8), 0, "a QOI picture, which is not decoded"),
    (Array("SIMPLE  =".utf8), 0, "a FITS picture, which is not decoded"),
    (Array("gimp xcf".utf8), 0, "a GIMP document, which is not decoded"),
    (Array("%!PS".utf8), 0, "a PostScript document, not a picture"),
    ([0x50, 0x4B, 0x03, 0x04], 0, "a ZIP archive, not a picture"),
    ([0x28, 0xB5, 0x2F, 0xFD], 0, "Zstandard data, not a picture"),
    ([0x1A, 0x45, 0xDF, 0xA3], 0, "a Matroska or WebM video, not a picture"),
    (Array("P5\n".utf8), 0, "a PGM picture, which is not decoded"),
    (Array("P6\n".utf8), 0, "a PPM picture, which is not decoded"),
    (Array("BM".utf8), 0, "a BMP picture, which is not decoded; save it as PNG"),
  ]

  /// Text that servers like to send with status 200.
  private static func markup(_ bytes: [UInt8]) -> String? {
    var head = bytes.prefix(512)
    if head.starts(with: [0xEF, 0xBB, 0xBF]) { head = head.dropFirst(3) }
    let start = head.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
    let text = String(decoding: start, as: UTF8.self).lowercased()
    if text.hasPrefix("<!doctype html") || text.hasPrefix("<html") || text.hasPrefix("<head") {
      return "an HTML page, not a picture (often an error or a login page sent with status 200)"
    }
    if text.hasPrefix("<svg") || (text.hasPrefix("<") && text.utf8.holds("<svg")) {
      return "an SVG drawing, which is not decoded"
    }
    if text.hasPrefix("<?xml") || text.hasPrefix("<error") { return "an XML document, not a picture" }
    if text.hasPrefix("<") { return "a markup document, not a picture" }
    if text.hasPrefix("{") || text.hasPrefix("[") { return "a JSON document, not a picture" }
    return nil
  }
}

extension Collection<UInt8> {
  /// Whether the bytes of a word stand somewhere in it. Searching text by Swift's own means needs iOS 16.
  func holds(_ word: String) -> Bool {
    var rest = self[...]
    while !rest.isEmpty {
      if rest.starts(with: word.utf8) { return true }
      rest = rest.dropFirst()
    }
    return false
  }
}
