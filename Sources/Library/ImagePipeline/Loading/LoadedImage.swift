import Foundation
import NukeCache

/// An image on its way through the pipeline, with what is needed to store it.
struct LoadedImage: Sendable {
  package var container: ImageContainer
  /// For the disk cache, where it was made in the same pass.
  package var encoded: Data?
  /// What it was made of, if that was loaded; nil where it comes from a cache.
  package var source: SourceData?
  package var cacheType: ImageResponse.CacheType?
  package let claims = KeyClaims()

  init(
    container: ImageContainer, encoded: Data? = nil, source: SourceData? = nil,
    cacheType: ImageResponse.CacheType? = nil
  ) {
    self.container = container
    self.encoded = encoded
    self.source = source
    self.cacheType = cacheType
  }

  init(_ drawn: PipelineDrawing.Drawn, like previous: LoadedImage) {
    self.init(
      container: drawn.container, encoded: drawn.encoded, source: previous.source,
      cacheType: previous.cacheType)
  }
}
