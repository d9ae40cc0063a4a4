/// The sizes of ImageIO's thumbnails as `ImageRequest.ThumbnailOptions` of Nuke 10.4.0 to 13.2.0 asks for
/// them. What ImageIO itself does with the limit is inferred from its documentation: it keeps the aspect
/// ratio and never enlarges.
package enum ThumbnailGeometry {
  /// The limit of the longer side, in pixels (`kCGImageSourceThumbnailMaxPixelSize`), for a picture of
  /// `width` x `height`. May be beyond the picture's own size.
  ///
  /// - Throws: ``RenderFailure`` with the code `size` where that is no positive number.
  static func longerSideLimit(
    _ size: RenderStep.Thumbnail.Size, width: Int, height: Int
  ) throws(RenderFailure) -> Double {
    let limit: Double
    switch size {
    case .maxPixelSize(let side): limit = side
    case .flexible(let targetWidth, let targetHeight, let contentMode):
      let (horizontal, vertical) = (targetWidth / Double(width), targetHeight / Double(height))
      let scale = contentMode == .aspectFill ? max(horizontal, vertical) : min(horizontal, vertical)
      limit = max(
        (Double(width) * scale).rounded(.toNearestOrAwayFromZero),
        (Double(height) * scale).rounded(.toNearestOrAwayFromZero))
    }
    guard limit.isFinite, limit > 0 else {
      throw RenderFailure(.size, "a thumbnail whose longer side is \(limit) pixels cannot be made")
    }
    return limit
  }

  /// The thumbnail's pixels: never larger than the picture, both sides at least 1.
  ///
  /// - Throws: as ``longerSideLimit(_:width:height:)``.
  package static func size(
    _ size: RenderStep.Thumbnail.Size, width: Int, height: Int
  ) throws(RenderFailure) -> (width: Int, height: Int) {
    guard width > 0, height > 0 else {
      throw RenderFailure(.size, "a picture of \(width) x \(height) has no thumbnail")
    }
    let limit = try longerSideLimit(size, width: width, height: height)
    let longer = max(width, height)
    guard limit < Double(longer) else { return (width, height) }
    let scale = max(limit.rounded(.down), 1) / Double(longer)
    // fits: no longer than the side was.
    func scaled(_ side: Int) -> Int { max(1, Int((Double(side) * scale).rounded(.toNearestOrAwayFromZero))) }
    return (scaled(width), scaled(height))
  }
}

extension RenderStep.Thumbnail.Size {
  /// The size for stored pixels of a picture with an EXIF orientation, as
  /// ``RenderStep/Resize/turned(forOrientation:)`` has it.
  func turned(forOrientation orientation: Int) -> RenderStep.Thumbnail.Size {
    guard (5...8).contains(orientation), case .flexible(let width, let height, let mode) = self else {
      return self
    }
    return .flexible(width: height, height: width, contentMode: mode)
  }
}

/// Whether the thumbnail that cameras put into EXIF may stand for the picture.
package enum EmbeddedUse: String, Codable, Hashable, Sendable, CaseIterable {
  /// As the request's own flags say, which is how the app's picture looks: `createThumbnailFromImageAlways`
  /// (the default of Nuke's `ThumbnailOptions`) draws from all pixels; without it a good embedded thumbnail is
  /// taken. Chains that do not begin with a thumbnail are drawn from all pixels.
  case client
  /// All pixels, whatever the request says.
  case never
  /// The embedded thumbnail wherever it is good enough for the first step, which has to be a thumbnail or
  /// a resize; otherwise all pixels.
  case prefer
  /// The embedded thumbnail or nothing.
  case only
}
