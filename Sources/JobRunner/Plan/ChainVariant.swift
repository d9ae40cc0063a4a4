import NukeCache
import Rendering

/// A chain at a screen scale, resolved for the client's version: what it adds to a key, and how it
/// is drawn. Chains in pixels are one variant for all scales.
struct ChainVariant: Sendable, Hashable {
  var chain: Int
  var scale: Double
  /// Another scale would be another variant.
  var dependsOnScale: Bool
  /// What follows the image ID in the request's own key.
  var suffix: String
  /// The part of `suffix` that belongs to the thumbnail.
  var thumbnailSuffix: String
  var processorCount: Int
  var hasThumbnail: Bool
  var drawing: Drawing
  /// What the client asks its cache for, in order, each with what follows the image ID there.
  var lookups: [Lookup]
  /// How it is encoded, where its chain says that itself.
  var encoding: JobEncoding?

  struct Lookup: Sendable, Hashable {
    var part: KeyPart
    var suffix: String
  }

  enum Drawing: Sendable, Hashable {
    case steps([RenderStep])
    /// The key is known, but nothing can be drawn.
    case impossible(reason: String)
  }
}

extension ChainVariant {
  /// The variants of a chain, one for each scale that makes a difference.
  static func resolve(_ chain: Chain, index: Int, scales: [Double], version: NukeVersion) -> [ChainVariant] {
    var variants: [ChainVariant] = []
    let request = RequestShape(hasThumbnail: chain.thumbnail != nil, processorCount: chain.processors.count)
    let parts = DataCacheRules(version: version).lookups(for: request)
    for scale in scales {
      let format = CacheKeyFormat(version: version, screenScale: scale)
      let other = CacheKeyFormat(version: version, screenScale: scale * 2)
      let suffix = format.suffix(thumbnail: chain.thumbnail, processors: chain.processors)
      let otherSuffix = other.suffix(thumbnail: chain.thumbnail, processors: chain.processors)
      let variant = ChainVariant(
        chain: index, scale: scale, dependsOnScale: suffix != otherSuffix, suffix: suffix,
        thumbnailSuffix: chain.thumbnail.map(format.thumbnailIdentifier(of:)) ?? "",
        processorCount: chain.processors.count, hasThumbnail: chain.thumbnail != nil,
        drawing: NukeDrawing(format: format).drawing(of: chain),
        lookups: parts.map { part in
          Lookup(
            part: part,
            suffix: format.dataCacheKey(
              part, imageID: "", thumbnail: chain.thumbnail, processors: chain.processors))
        })
      let isKnown = variants.contains { $0.suffix == variant.suffix && $0.drawing == variant.drawing }
      if !isKnown { variants.append(variant) }
    }
    return variants
  }
}

extension ChainVariant {
  var isDrawable: Bool {
    if case .steps = drawing { true } else { false }
  }
}
