/// A cache of images in memory, as the pipeline uses it. It may be used from any thread.
public protocol ImageCaching: AnyObject, Sendable {
  /// The image of a key; setting nil removes it.
  subscript(key: ImageCacheKey) -> ImageContainer? { get set }
  /// Removes all images.
  func removeAll()
}

extension ImageCaching {
  /// The image of a request, whatever its options say: they are the pipeline's business.
  public subscript(request: ImageRequest) -> ImageContainer? {
    get { self[ImageCacheKey(request: request)] }
    set { self[ImageCacheKey(request: request)] = newValue }
  }
}

/// What tells one image in memory from another.
///
/// Unlike the key on disk it is not text put together, so two requests never share it by accident.
public struct ImageCacheKey: Hashable, Sendable {
  private enum Identity: Hashable {
    case custom(String)
    case request(imageID: String, scale: Float, thumbnail: ThumbnailOptions?, processors: [ImageProcessor])
  }

  private let identity: Identity

  /// A key of the app's own, which stands for the whole request.
  public init(key: String) {
    identity = .custom(key)
  }

  /// The key of a request: image ID, scale, thumbnail and processors.
  public init(request: ImageRequest) {
    identity = .request(
      imageID: request.imageID ?? "", scale: request.scale, thumbnail: request.thumbnail,
      processors: request.processors)
  }
}

/// What `ImageCache` does differently from version to version: Nuke's source at the tags named.
extension NukeVersion {
  /// Bytes that the images may cost together.
  func imageCostLimit(physicalMemory: UInt64) -> Int {
    let memory = Int(clamping: physicalMemory)
    // A tenth on devices of up to 512 MiB.
    let fifth = memory <= 512 << 20 ? memory / 10 : memory / 5
    return switch major {
    case ..<12: fifth
    case 12: min(fifth, 512 << 20)
    default: min(Int(Double(memory) * 0.15), 768 << 20)
    }
  }

  /// The part of the cost limit that an image has to stay below; nil where there is no such rule.
  var entryCostLimit: Double? { self < NukeVersion(10, 1, 0) ? nil : 0.1 }
  /// The cost limit above which the rule for single images does not hold (up to 13.0.4).
  var entryRuleEnd: Int { self < NukeVersion(13, 0, 5) ? Int(Int32.max) : .max }
}
