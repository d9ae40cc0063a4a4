import NukeCache

/// Which cache entries a request leads to under the job's policy.
struct StorageRule {
  var settings: JobSettings

  /// A leading part of the request's key.
  enum Part: Sendable, Hashable {
    case image, thumbnail, request

    func suffix(of variant: ChainVariant) -> String {
      switch self {
      case .image: ""
      case .thumbnail: variant.thumbnailSuffix
      case .request: variant.suffix
      }
    }
  }

  struct Entry: Sendable, Hashable {
    var part: Part
    var content: PlannedRendition.Content
  }

  struct Storage: Sendable, Hashable {
    var entries: [Entry]
    /// What a person should know about it.
    var note: String?

    var needsDrawing: Bool { entries.contains { $0.content == .encoded } }
  }
}
