import Text

/// What stands first in a key: the request's URL as the app's `URL(string:)` holds it, unless the
/// app overrides it. On systems before iOS 17 invalid text is not a URL and gives the empty ID.
package struct ImageID: Hashable, Sendable {
  /// `absoluteString`.
  package let text: String
  /// The URL's text was not valid and was changed (`URLText`).
  package let wasRepaired: Bool

  /// Nil where `URL(string:)` is: Nuke takes the empty ID then, and loads nothing.
  package init?(urlText: String) {
    guard let url = URLText(urlText) else { return nil }
    text = url.text
    wasRepaired = url.wasRepaired
  }

  /// The ID's text alone.
  static func make(urlText: String) -> String? { ImageID(urlText: urlText)?.text }
}

/// `ImageRequest.ThumbnailOptions`: a thumbnail made by the system's image decoder instead of by a
/// processor. It comes before the processors, in the key and in the drawing.
public struct ThumbnailOptions: Hashable, Sendable {
  public var size: Size
  public var createThumbnailFromImageIfAbsent = true
  public var createThumbnailFromImageAlways = true
  public var createThumbnailWithTransform = true
  public var shouldCacheImmediately = true

  public enum Size: Hashable, Sendable {
    /// Pixels of the longer side; no screen scale enters.
    case maxPixelSize(Double)
    /// Nuke 12.0.0 and later.
    case flexible(
      width: Double, height: Double, unit: ImageProcessor.Unit, contentMode: ImageProcessor.ContentMode)
  }

  public init(maxPixelSize: Double) {
    size = .maxPixelSize(maxPixelSize)
  }

  public init(
    width: Double, height: Double, unit: ImageProcessor.Unit = .points,
    contentMode: ImageProcessor.ContentMode = .aspectFill
  ) {
    size = .flexible(width: width, height: height, unit: unit, contentMode: contentMode)
  }
}
