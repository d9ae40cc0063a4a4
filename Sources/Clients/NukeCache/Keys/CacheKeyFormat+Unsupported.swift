extension CacheKeyFormat {
  /// Why this version has no key for a request, in a sentence for people; nil where it has one.
  ///
  /// The other functions never fail, so ask this first: for a request that the version cannot
  /// express they give text that no app will ever look up.
  public func unsupportedReason(thumbnail: ThumbnailOptions?, processors: [ImageProcessor]) -> String? {
    unsupportedReason(thumbnail) ?? processors.lazy.compactMap { unsupportedReason($0) }.first
  }

  private func unsupportedReason(_ thumbnail: ThumbnailOptions?) -> String? {
    guard let thumbnail else { return nil }
    if !version.hasThumbnails {
      return "Nuke \(version) has no thumbnail requests; they came with 10.4.0"
    }
    if case .flexible = thumbnail.size, !version.hasFlexibleThumbnails {
      return
        "Nuke \(version) has no thumbnails of a size (they came with 12.0.0); use thumbnail(maxPixelSize:)"
    }
    return nil
  }

  private func unsupportedReason(_ processor: ImageProcessor) -> String? {
    switch processor {
    case .circle(let border): border.flatMap { unsupportedReason($0.color) }
    case .roundedCorners(_, _, let border): border.flatMap { unsupportedReason($0.color) }
    case .composition(let members): members.lazy.compactMap { unsupportedReason($0) }.first
    default: nil
    }
  }

  /// Where Nuke itself would trap, there is no key.
  private func unsupportedReason(_ color: ImageProcessor.Color) -> String? {
    guard case .rgba(let red, let green, let blue, let alpha) = color else { return nil }
    let components = [red, green, blue, alpha]
    if components.contains(where: \.isNaN) {
      return "a colour component is not a number"
    }
    if !version.limitsColors, components.contains(where: { Self.byte(Float($0)) == nil }) {
      return "a colour component is out of range for Nuke \(version), which does not limit it to 0...1"
    }
    return nil
  }
}
