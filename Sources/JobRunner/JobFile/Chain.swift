import NukeCache

/// An ordered list of processors, or a thumbnail request that may go on with processors, or
/// nothing at all (`original`).
public struct Chain: Hashable, Sendable {
  public var thumbnail: ThumbnailOptions?
  public var processors: [ImageProcessor]

  public init(thumbnail: ThumbnailOptions? = nil, processors: [ImageProcessor] = []) {
    self.thumbnail = thumbnail
    self.processors = processors
  }

  public static let original = Chain()

  public var isOriginal: Bool { thumbnail == nil && processors.isEmpty }
}
