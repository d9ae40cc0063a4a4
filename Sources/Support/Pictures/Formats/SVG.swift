extension FormatFacts {
  /// Stored as it came and never decoded here: drawings refer to files and servers, and their entities grow without
  /// end. What follows the first tag is the app's to read.
  static let svg = FormatFacts(
    name: "SVG", isTrusted: false, isDecoded: false, uniformType: "public.svg-image",
    // A page that shows it would run what is in it.
    isShownByBrowsers: false, loader: "", headBytes: 4096, decoderMemory: { _, _, _ in 0 },
    begins: { SVGText($0).isDrawing },
    readHeader: { source throws(RenderFailure) in
      ImageHeader(
        format: .svg, width: 1, height: 1, bitsPerSample: nil, channels: 4,
        isComplete: SVGText(source.bytes.suffix(4096)).isClosed)
    })
}

/// The text around a drawing's elements (SVG 1.1; XML 1.0, sections 2.8 and 3).
private struct SVGText {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: some Collection<UInt8>) {
    rest = Array(bytes)[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
  }

  /// From the first element on, where that is `svg`, behind declarations and comments alone. A page of HTML with a drawing
  /// in it does not count.
  private var root: ArraySlice<UInt8>? {
    var text = self
    while true {
      text.skipSpace()
      if text.skips("<?", to: "?>") || text.skips("<!--", to: "-->") { continue }
      guard text.rest.starts(with: "<!DOCTYPE svg".utf8) else { break }
      let hasSubset = text.rest.prefix { $0 != UInt8(ascii: ">") }.contains(UInt8(ascii: "["))
      guard text.skips("<!", to: hasSubset ? "]" : ">"), !hasSubset || text.skips("", to: ">") else {
        return nil
      }
    }
    guard text.rest.starts(with: "<svg".utf8), let next = text.rest.dropFirst(4).first,
      " \t\r\n/>".utf8.contains(next)
    else { return nil }
    return text.rest
  }

  var isDrawing: Bool { root != nil }

  /// Of the end of a drawing, or of all of it.
  var isClosed: Bool {
    guard rest.last(where: { !" \t\r\n".utf8.contains($0) }) == UInt8(ascii: ">") else { return false }
    return rest.holds("</svg") || root?.prefix { $0 != UInt8(ascii: ">") }.last == UInt8(ascii: "/")
  }

  private mutating func skipSpace() { rest = rest.drop { " \t\r\n".utf8.contains($0) } }

  /// - Returns: false where it does not begin so, or has no end.
  private mutating func skips(_ start: String, to end: String) -> Bool {
    guard rest.starts(with: start.utf8) else { return false }
    var next = rest
    while !next.starts(with: end.utf8) {
      guard !next.isEmpty else { return false }
      next = next.dropFirst()
    }
    rest = next.dropFirst(end.utf8.count)
    return true
  }
}
