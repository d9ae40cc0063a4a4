import Text

extension CacheKeyFormat {
  /// The thumbnail's part of the key. Mind that its prefix begins `com.github/kean`, with a slash,
  /// unlike the processors'.
  public func thumbnailIdentifier(of thumbnail: ThumbnailOptions) -> String {
    let flags = [
      thumbnail.createThumbnailFromImageIfAbsent, thumbnail.createThumbnailFromImageAlways,
      thumbnail.createThumbnailWithTransform, thumbnail.shouldCacheImmediately,
    ]
    return "com.github/kean/nuke/thumbnail?\(text(of: thumbnail.size)),options="
      + flags.map(\.description).joined()
  }

  private func text(of size: ThumbnailOptions.Size) -> String {
    switch size {
    case .maxPixelSize(let side):
      (version.hasFlexibleThumbnails ? "maxPixelSize=" : "mxs=")
        + (version.hasFloatThumbnailNumber ? NumberText.number(Float(side)) : NumberText.number(side))
    case .flexible(let width, let height, let unit, let contentMode):
      text(of: pixelSize(width: width, height: height, unit: unit), contentMode)
    }
  }

  private func text(
    of size: (width: Double, height: Double), _ contentMode: ImageProcessor.ContentMode
  ) -> String {
    "width=\(NumberText.number(size.width)),height=\(NumberText.number(size.height))"
      + ",contentMode=.\(contentMode.rawValue)"
  }
}

extension CacheKeyFormat {
  /// A border's colour: `#RRGGBB`, with a fourth pair of digits only where it is not opaque.
  func text(of color: ImageProcessor.Color) -> String {
    switch color {
    case .described(let description):
      // Before 13.2.0 all components of such a colour were read as zero.
      version.limitsColors ? description : "#00000000"
    case .rgba(let red, let green, let blue, let alpha):
      "#" + ([red, green, blue] + (alpha < 1 ? [alpha] : [])).map(digits).joined()
    }
  }

  /// Two upper-case hexadecimal digits; before 13.2.0 more, where the component lies outside 0...1: a
  /// negative one prints all 64 bits.
  private func digits(of component: Double) -> String {
    let value = Float(version.limitsColors ? min(max(component, 0), 1) : component)
    let byte = Self.byte(value) ?? 0
    let text = String(UInt64(bitPattern: Int64(byte)), radix: 16, uppercase: true)
    return text.count < 2 ? "0" + text : text
  }

  /// Rounded half away from zero in Float, as Nuke does it; nil where that is not a whole number.
  static func byte(_ component: Float) -> Int? {
    Int(exactly: (component * 255).rounded(.toNearestOrAwayFromZero))
  }
}
