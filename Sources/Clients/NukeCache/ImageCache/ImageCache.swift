import Concurrency
import Foundation
import Text

/// A memory cache of images ready for use that forgets the least recently used ones first: Nuke's `ImageCache`.
///
/// It is bounded by cost (bytes of pixels and attached data, ``ImageContainer/cost``) and by count. There are
/// no memory warnings without a screen; an app that gets one calls ``removeAll()`` or ``trim(toCost:)``.
public final class ImageCache: ImageCaching {
  /// The cache that pipelines share unless they are given another.
  public static let shared = ImageCache()

  private struct State {
    var images: LRUCache<ImageCacheKey, ImageContainer>
    var timeToLive: TimeInterval?
    var entryCostLimit: Double?
  }

  private let state: Locked<State>
  private let entryRuleEnd: Int
  private let now: @Sendable () -> Moment

  /// - Parameters:
  ///   - costLimit: bytes; by default the version's share of the machine's memory.
  ///   - countLimit: how many images are kept at most.
  ///   - version: whose default limits are taken.
  public convenience init(costLimit: Int? = nil, countLimit: Int = .max, version: NukeVersion = .latest) {
    self.init(costLimit: costLimit, countLimit: countLimit, version: version) { .now }
  }

  init(
    costLimit: Int?, countLimit: Int, version: NukeVersion,
    now: @escaping @Sendable () -> Moment
  ) {
    let usual = version.imageCostLimit(physicalMemory: ProcessInfo.processInfo.physicalMemory)
    state = Locked(
      State(
        images: LRUCache(costLimit: costLimit ?? usual, countLimit: countLimit),
        entryCostLimit: version.entryCostLimit))
    entryRuleEnd = version.entryRuleEnd
    self.now = now
  }

  /// The image of a key. Reading makes it the most recently used one.
  ///
  /// Setting an image that is too costly removes the one that it was to replace: an old image is never
  /// given for a new one.
  public subscript(key: ImageCacheKey) -> ImageContainer? {
    get { state.withLock { $0.images.value(forKey: key, now: now()) } }
    set {
      guard let container = newValue else {
        state.withLock { _ = $0.images.removeValue(forKey: key) }
        return
      }
      let cost = container.cost
      state.withLock { state in
        guard isAccepted(cost, state) else {
          state.images.removeValue(forKey: key)
          return
        }
        let expiry = state.timeToLive.map { now() + $0 }
        state.images.insert(container, forKey: key, cost: cost, expiry: expiry)
      }
    }
  }

  /// Forgets all images.
  public func removeAll() {
    state.withLock { $0.images.removeAll() }
  }

  /// Forgets the least recently used images until the others cost at most this many bytes.
  public func trim(toCost limit: Int) {
    state.withLock { $0.images.trim(toCost: limit) }
  }

  /// Forgets the least recently used images until at most this many are left.
  public func trim(toCount limit: Int) {
    state.withLock { $0.images.trim(toCount: limit) }
  }

  private func isAccepted(_ cost: Int, _ state: State) -> Bool {
    guard let part = state.entryCostLimit, state.images.costLimit <= entryRuleEnd else { return true }
    return Double(cost) < Double(state.images.costLimit) * part
  }

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

  /// The part of ``costLimit`` that a single image has to stay below to be stored, 0 to 1; 0.1 by default,
  /// 1 before Nuke 10.1.0.
  public var entryCostLimit: Double {
    get { state.withLock { $0.entryCostLimit ?? 1 } }
    set { state.withLock { $0.entryCostLimit = min(1, max(0, newValue)) } }
  }

  /// Bytes that the images cost together now.
  public var totalCost: Int { state.withLock { $0.images.totalCost } }
  /// How many images are held now.
  public var totalCount: Int { state.withLock { $0.images.totalCount } }
}
