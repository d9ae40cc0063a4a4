/// One result. No steps and `.original` means: prove that the bytes decode to their end.
package struct RenderOutput: Codable, Hashable, Sendable {
  package var steps: [RenderStep]
  package var encoding: OutputEncoding
  package var embedded: EmbeddedUse
  /// Drawn and stored in the source's own RGB space, where its profile allows that; nil is no, and the result is sRGB.
  package var keepsGamut: Bool?
  /// The steps are drawn on all frames of an animated source, and the result is animated; nil is no.
  package var drawsFrames: Bool?
  /// A JPEG whose orientation stands in XMP alone is turned by it; nil is no.
  package var turnsByXMP: Bool?
  /// How the steps that have a place are drawn; nil as the device does it.
  package private(set) var drawing: Drawing?

  package init(
    steps: [RenderStep], encoding: OutputEncoding, embedded: EmbeddedUse = .client, keepsGamut: Bool = false,
    drawsFrames: Bool? = nil
  ) {
    self.steps = steps
    self.encoding = encoding
    self.embedded = embedded
    self.keepsGamut = keepsGamut ? true : nil
    self.drawsFrames = drawsFrames
  }

  /// The same drawn in another way. What scales nothing is drawn in one way only.
  package func drawn(by drawing: Drawing) -> RenderOutput {
    var output = self
    output.drawing = drawing == .device || !steps.contains { $0.value.isPlaced } ? nil : drawing
    return output
  }

  /// Raw pixels are always sRGB.
  package var isWide: Bool { keepsGamut == true && encoding != .pixels }
}

/// How a picture becomes smaller or larger.
package enum Drawing: String, Codable, Hashable, Sendable, CaseIterable {
  /// As Core Graphics and ImageIO do it.
  case device
  /// By vips_resize, from a JPEG that is decoded at a half, a quarter or an eighth where twice the pixels are left.
  case libvips

  /// The word that reports have for it; nil where results look as they do in the app.
  package var note: String? { self == .device ? nil : rawValue }
}

/// In which colours the results of a job are stored.
package enum Gamut: String, Hashable, Sendable, CaseIterable {
  /// In the picture's own, where the client's release keeps them.
  case client
  case srgb
}

package enum OutputEncoding: Codable, Hashable, Sendable {
  /// The source's own bytes are kept; they are only checked.
  case original
  /// JPEG where the bitmap has no alpha channel, PNG where it has one.
  case automatic(jpegQuality: Int)
  /// Alpha is flattened onto white.
  case jpeg(quality: Int)
  case png
  /// JPEG where the source is one and no pixel of the result is transparent, PNG otherwise: what
  /// Kingfisher's `DefaultCacheSerializer` writes, but that transparency is never lost.
  case likeSource(jpegQuality: Int)
  /// As a job asks for in detail.
  case recipe(EncodingRecipe)
  /// Not encoded: premultiplied pixels as ``RenderPixels`` describes them.
  case pixels
}

/// Raw pixels as they travel between the pool and a worker: rows of red, green, blue and alpha without
/// padding, 8 bits each, sRGB, alpha premultiplied, the upper row first, upright.
package struct RenderPixels: Codable, Hashable, Sendable {
  static let bytesPerPixel = 4

  package var width, height: Int
  /// Channels of the picture that the pixels show: 1 grey, 2 grey with alpha, 3 colour, 4 colour with
  /// alpha. It decides how the picture is encoded; the pixels always have four bytes.
  package var channels: Int

  package init(width: Int, height: Int, channels: Int) {
    self.width = width
    self.height = height
    self.channels = channels
  }

  /// The largest number where the sizes make no sense.
  package var byteCount: Int {
    width > 0 && height > 0 ? product(width, height, Self.bytesPerPixel) : .max
  }
}
