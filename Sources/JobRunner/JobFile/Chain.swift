import KingfisherCache
import NukeCache

/// What is made of a source, in the words of the job's client.
public enum Chain: Hashable, Sendable {
  case nuke(NukeChain)
  /// Processors in their order; none at all means `original`.
  case kingfisher([BuiltInProcessor])

  /// Nothing is drawn: the source's own bytes.
  public var isOriginal: Bool {
    switch self {
    case .nuke(let chain): chain == .original
    case .kingfisher(let processors): processors.isEmpty
    }
  }

  var processorCount: Int {
    switch self {
    case .nuke(let chain): chain.processors.count
    case .kingfisher(let processors): processors.count
    }
  }
}

/// An ordered list of processors, or a thumbnail request that may go on with processors, or
/// nothing at all (`original`).
public struct NukeChain: Hashable, Sendable {
  public var thumbnail: ThumbnailOptions?
  public var processors: [NukeCache.ImageProcessor]

  public init(thumbnail: ThumbnailOptions? = nil, processors: [NukeCache.ImageProcessor] = []) {
    self.thumbnail = thumbnail
    self.processors = processors
  }

  public static let original = NukeChain()
}
