import NukeCache
import Pictures

/// A chain at a screen scale, resolved for the client's version: what it adds to a key, and how it
/// is drawn. Chains in pixels are one variant for all scales.
package struct ChainVariant: Sendable, Hashable {
  package var chain: Int
  package var scale: Double
  /// Another scale would be another variant.
  package var dependsOnScale: Bool
  /// What follows the image ID in the request's own key.
  package var suffix: String
  /// The part of `suffix` that belongs to the thumbnail.
  var thumbnailSuffix: String
  package var processorCount: Int
  package var hasThumbnail: Bool
  package var drawing: Drawing
  /// What the client asks its cache for, in order, each with what follows the image ID there.
  package var lookups: [Lookup]
  /// How it is encoded, where its chain says that itself.
  package var encoding: JobEncoding?

  package struct Lookup: Sendable, Hashable {
    package var part: KeyPart
    package var suffix: String
  }

  package enum Drawing: Sendable, Hashable {
    case steps([RenderStep])
    /// The key is known, but nothing can be drawn.
    case impossible(reason: String)
  }
}

extension ChainVariant {
  var isDrawable: Bool {
    if case .steps = drawing { true } else { false }
  }

  /// What a part of the request's key has behind the image ID.
  package func suffix(of part: KeyPart) -> String {
    if part.processorCount > 0 { return suffix }
    return part.hasThumbnail ? thumbnailSuffix : ""
  }
}
