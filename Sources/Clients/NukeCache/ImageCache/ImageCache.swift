import Concurrency
import Foundation

/// A memory cache of images ready for use that forgets the least recently used ones first: Nuke's `ImageCache`.
///
/// It is bounded by cost (bytes of pixels and attached data) and by count. There are no memory warnings without a screen;
/// an app that gets one calls ``removeAll()``.
public final class ImageCache: Sendable {
  /// The cache that pipelines share unless they are given another.
  public static let shared = ImageCache()

  private struct State {
    var images: LRUCache<ImageCacheKey, ImageContainer>
    var timeToLive: TimeInterval?
  }

  private let state: Locked<State>
  private let now: @Sendable () -> Moment

  /// The cost limit is by default Nuke 13's: 15 % of the machine's memory, 768 MiB at most.
  public convenience init(costLimit: Int? = nil, countLimit: Int = .max) {
    self.init(costLimit: costLimit, countLimit: countLimit) { .now }
  }

  init(costLimit: Int?, countLimit: Int, now: @escaping @Sendable () -> Moment) {
    let memory = Double(ProcessInfo.processInfo.physicalMemory)
    let limit = costLimit ?? Int(min(memory * 0.15, Double(768 << 20)))
    state = Locked(State(images: LRUCache(costLimit: limit, countLimit: countLimit)))
    self.now = now
  }

  /// The image of a key; setting nil removes it. Reading makes it the most recently used one.
  ///
  /// An image that costs a tenth of the limit or more is not stored. It removes the one that it was to replace: an old
  /// image is never given for a new one.
  public subscript(key: ImageCacheKey) -> ImageContainer? {
    get { state.withLock { $0.images.value(forKey: key, now: now()) } }
    set {
      state.withLock { state in
        guard let container = newValue, Double(container.cost) < Double(state.images.costLimit) * 0.1 else {
          state.images.removeValue(forKey: key)
          return
        }
        let expiry = state.timeToLive.map { now() + $0 }
        state.images.insert(container, forKey: key, cost: container.cost, expiry: expiry)
      }
    }
  }

  /// The image of a request, whatever its options say: they are the pipeline's business.
  public subscript(request: ImageRequest) -> ImageContainer? {
    get { self[ImageCacheKey(request: request)] }
    set { self[ImageCacheKey(request: request)] = newValue }
  }

  /// Forgets all images.
  public func removeAll() { state.withLock { $0.images.removeAll() } }

  /// The bytes that all images may cost together. Lowering it trims at once.
  public var costLimit: Int {
    get { state.withLock { $0.images.costLimit } }
    set { state.withLock { $0.images.costLimit = newValue } }
  }

  /// How many images are kept at most; `Int.max` by default. Lowering it trims at once.
  public var countLimit: Int {
    get { state.withLock { $0.images.countLimit } }
    set { state.withLock { $0.images.countLimit = newValue } }
  }

  /// Seconds after which an image stored from now on is no longer given out; nil, the default, for never.
  public var ttl: TimeInterval? {
    get { state.withLock { $0.timeToLive } }
    set { state.withLock { $0.timeToLive = newValue } }
  }
}

/// What tells one image in memory from another.
///
/// Unlike the key on disk it is not text put together, so two requests never share it by accident.
public struct ImageCacheKey: Hashable, Sendable {
  private let text: String
  private let thumbnail: ThumbnailOptions?
  /// Nil where the text is a key of the app's own.
  private let processors: [ImageProcessor]?

  /// A key of the app's own, which stands for the whole request.
  public init(key: String) { (text, thumbnail, processors) = (key, nil, nil) }

  /// The key of a request: image ID, thumbnail and processors.
  public init(request: ImageRequest) {
    (text, thumbnail, processors) = (request.imageID ?? "", request.thumbnail, request.processors)
  }
}
