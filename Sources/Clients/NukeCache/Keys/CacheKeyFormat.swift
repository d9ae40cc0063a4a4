import Digests
import Text

/// How one version of Nuke, on a device of one screen scale, spells the keys of its data cache.
///
/// A key is the image ID, the thumbnail's identifier and those of the processors, one after another
/// with nothing between them (`ImagePipeline.Cache`, 10.0.0 to 13.2.0). Options, headers, policies
/// and encoders do not enter it.
public struct CacheKeyFormat: Sendable, Hashable {
  /// The release whose keys are made.
  public var version: NukeVersion
  /// Pixels a point: 1, 2 or 3. On macOS Nuke takes 1, whatever the screen.
  public var screenScale: Double

  /// A format for a version, and for sizes in pixels alone unless a scale is given.
  public init(version: NukeVersion, screenScale: Double = 1) {
    self.version = version
    self.screenScale = screenScale
  }

  /// The key of a request's own entry: the whole chain.
  public func dataCacheKey(
    imageID: String, thumbnail: ThumbnailOptions? = nil, processors: [ImageProcessor] = []
  ) -> String {
    calls(thumbnail, processors).reduce(imageID) { $0 + ProcessorKey.all.key(of: $1, KeyContext(self)) }
  }

  private func calls(_ thumbnail: ThumbnailOptions?, _ processors: [ImageProcessor]) -> [ProcessorCall] {
    (thumbnail.map { [$0.call] } ?? []) + processors.map(\.call)
  }

  /// The name of a key's file: the lower-case hexadecimal SHA-1 of its UTF-8 bytes. The empty key has
  /// none, so Nuke neither stores nor finds it.
  public static func fileName(forKey key: String) -> String? {
    key.isEmpty ? nil : SHA1.hexadecimal(of: key)
  }

  /// A length in pixels. One multiplication in Double, never rounded, as Nuke does it.
  public func pixels(_ value: Double, _ unit: ImageProcessor.Unit) -> Double {
    unit == .points ? value * screenScale : value
  }

  /// Width and height in pixels, as this version holds a target size: through Float since 13.0.0.
  public func pixelSize(
    width: Double, height: Double, unit: ImageProcessor.Unit
  ) -> (width: Double, height: Double) {
    let size = (width: pixels(width, unit), height: pixels(height, unit))
    return version.hasFloatSizes
      ? (width: Double(Float(size.width)), height: Double(Float(size.height))) : size
  }

  /// Why this version has no key for a request, in a sentence for people; nil where it has one.
  ///
  /// The other functions never fail, so ask this first: for a request that the version cannot
  /// express they give text that no app will ever look up.
  public func unsupportedReason(thumbnail: ThumbnailOptions?, processors: [ImageProcessor]) -> String? {
    calls(thumbnail, processors).lazy.compactMap { ProcessorKey.all.unsupportedReason($0, KeyContext(self)) }
      .first
  }
}

/// How much of a request's chain stands in a key: the image ID always, the thumbnail or not, and the
/// first processors, as many as the count says.
package struct KeyPart: Hashable, Sendable {
  package var hasThumbnail: Bool
  package var processorCount: Int

  package init(hasThumbnail: Bool = false, processorCount: Int = 0) {
    self.hasThumbnail = hasThumbnail
    self.processorCount = processorCount
  }

  /// The image ID alone: the original's key.
  package static let imageID = KeyPart()
}
