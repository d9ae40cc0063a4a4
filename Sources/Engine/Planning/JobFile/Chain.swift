import KingfisherCache
import NukeCache

/// What is made of a source, in the words of the job's client.
package enum Chain: Hashable, Sendable {
  case nuke(NukeChain)
  /// Processors in their order; none at all means `original`.
  case kingfisher([BuiltInProcessor])

  /// Nothing is drawn: the source's own bytes.
  package var isOriginal: Bool {
    switch self {
    case .nuke(let chain): chain == .original
    case .kingfisher(let processors): processors.isEmpty
    }
  }

  package var processorCount: Int {
    switch self {
    case .nuke(let chain): chain.processors.count
    case .kingfisher(let processors): processors.count
    }
  }
}

/// An ordered list of processors, or a thumbnail request that may go on with processors, or
/// nothing at all (`original`).
package struct NukeChain: Hashable, Sendable {
  package var thumbnail: ThumbnailOptions?
  package var processors: [NukeCache.ImageProcessor]

  package init(thumbnail: ThumbnailOptions? = nil, processors: [NukeCache.ImageProcessor] = []) {
    self.thumbnail = thumbnail
    self.processors = processors
  }

  package static let original = NukeChain()
}
