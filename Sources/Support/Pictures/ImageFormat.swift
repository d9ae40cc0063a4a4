/// The image formats on our own table. What is not on it never reaches a decoder.
public enum ImageFormat: String, Codable, Hashable, Sendable, CaseIterable {
  /// JPEG, PNG, GIF and WebP are trusted; TIFF, HEIF (with HEVC) and AVIF are not. SVG is never decoded.
  case jpeg, png, gif, webp, tiff, heif, avif, svg

  /// Decoded without being asked for. The others have to be allowed by name.
  public static let trusted: Set<ImageFormat> = Set(allCases.filter(\.facts.isTrusted))

  /// Decoded where they are asked for.
  package static let optional = allCases.filter { !trusted.contains($0) && $0.facts.isDecoded }
}

extension ImageFormat {
  package var facts: FormatFacts {
    switch self {
    case .jpeg: .jpeg
    case .png: .png
    case .gif: .gif
    case .webp: .webp
    case .tiff: .tiff
    case .heif: .heif
    case .avif: .avif
    case .svg: .svg
    }
  }

  /// As people write it.
  public var name: String { facts.name }

  /// As people write what our own encoders make: HEIC where the format is HEIF.
  package var writtenName: String { facts.writtenName ?? name }

  /// The format by the first bytes, or nil for all that is not on the table. Twelve bytes decide,
  /// except for the HEIF brands that say nothing about the coding (`mif1`, `msf1`): there the list of
  /// compatible brands behind them does.
  public static func sniff(_ bytes: some Collection<UInt8>) -> ImageFormat? {
    let head = Array(bytes.prefix(64))
    return allCases.first { format in
      let count = format.facts.headBytes
      return format.facts.begins(count > head.count ? Array(bytes.prefix(count)) : head)
    }
  }
}

/// Sources that clients store in a way of their own: those that move, or may move, and stills of some formats.
package enum AnimatedKind: String, Codable, Hashable, Sendable, CaseIterable {
  /// Some clients take every GIF for animated.
  case stillGIF = "GIF with one frame"
  /// With neither of the versions 87a and 89a, by which some clients know a GIF.
  case oddGIF = "GIF of an unknown version"
  /// A still of a format other than JPEG, PNG and GIF.
  case rarer = "picture that is neither JPEG, PNG nor GIF"
  case gif = "animated GIF"
  case webp = "animated WebP"
  case apng = "animated PNG"

  /// Nil for bytes that are not one of them, or not whole enough to say so.
  package init?(_ bytes: [UInt8]) {
    let kinds: [ImageFormat: AnimatedKind] = [.gif: .gif, .webp: .webp, .png: .apng]
    guard let format = ImageFormat.sniff(bytes), format != .jpeg, format != .svg,
      let header = try? ImageHeader.read(bytes)
    else { return nil }
    switch (header.frames > 1, kinds[format]) {
    case (_, .gif?) where !bytes.starts(with: "GIF87a".utf8) && !bytes.starts(with: "GIF89a".utf8):
      self = .oddGIF
    case (true, let kind?): self = kind
    case (_, .gif?): self = .stillGIF
    case (_, .apng?): return nil
    case _: self = .rarer
    }
  }

  /// Neither JPEG, PNG nor GIF.
  package static let ofRarerFormats = [AnimatedKind.webp, .rarer]

  /// How the names of such stills end: with a format's own.
  package static let rarerNames = Set(
    ImageFormat.allCases.filter { ![.jpeg, .png, .gif, .svg].contains($0) }.flatMap {
      [$0.rawValue, $0.writtenName.lowercased()]
    })
}

extension Sequence<ImageFormat> {
  /// "JPEG, PNG and GIF", in the table's order.
  package func names(joinedBy last: String) -> String {
    let asked = Set(self)
    let names = ImageFormat.allCases.filter(asked.contains).map(\.name)
    guard let end = names.last, names.count > 1 else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " \(last) " + end
  }
}
