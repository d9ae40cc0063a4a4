import Concurrency
import Foundation

/// The part of a cache that holds images in memory: Kingfisher's `MemoryStorage`.
public enum MemoryStorage {
  /// Limits of a memory storage: Kingfisher's `MemoryStorage.Config`.
  public struct Config: Hashable, Sendable {
    /// Bytes that the images may cost together; a quarter of the machine's memory by default, 0 for no limit.
    public var totalCostLimit = Int(clamping: ProcessInfo.processInfo.physicalMemory / 4)
    /// How many images are kept; `Int.max`, the default, and 0 mean no limit.
    public var countLimit = Int.max
    /// Five minutes from the last access by default.
    public var expiration: StorageExpiration = .seconds(300)
    /// Seconds between two removals of what has expired; 120 by default, 0 for none.
    public var cleanInterval: TimeInterval = 120
  }

  /// Images in memory within limits of cost, count and age; the least recently used go first.
  ///
  /// Kingfisher leaves the order to `NSCache`, which promises none.
  public final class Backend: Sendable {
    struct Entry {
      var image: KFCrossPlatformImage
      var expiration: StorageExpiration
      var expiry: Date
    }

    struct State {
      var config = Config()
      var entries = LRUCache<String, Entry>()
      var cleaned: Date

      mutating func clean(_ now: Date) {
        cleaned = now
        entries.removeAll { $0.expiry <= now }
      }
    }

    let state: Locked<State>
    private let now: @Sendable () -> Date

    init(now: @escaping @Sendable () -> Date = { Date() }) {
      state = Locked(State(cleaned: now()))
      self.now = now
      config = Config()
    }

    /// Lower limits hold at once; a new expiration holds for what is stored from now on.
    public var config: Config {
      get { state.withLock { $0.config } }
      set {
        state.withLock { state in
          state.config = newValue
          state.entries.costLimit = newValue.totalCostLimit > 0 ? newValue.totalCostLimit : .max
          state.entries.countLimit = newValue.countLimit > 0 ? newValue.countLimit : .max
        }
      }
    }

    func store(_ image: KFCrossPlatformImage, forKey key: String, expiration: StorageExpiration?) {
      let now = now()
      state.withLock { state in
        let expiration = expiration ?? state.config.expiration
        guard !expiration.isExpired(at: now) else { return }
        state.entries.insert(
          Entry(image: image, expiration: expiration, expiry: expiration.date(since: now)), forKey: key,
          cost: image.cost)
        // Where nothing is stored nothing has to make room.
        if state.config.cleanInterval > 0, now.timeIntervalSince(state.cleaned) >= state.config.cleanInterval
        {
          state.clean(now)
        }
      }
    }

    /// The image of a key; an expired one does not count.
    ///
    /// - Parameter isLook: its period does not begin again.
    func image(forKey key: String, isLook: Bool = false) -> KFCrossPlatformImage? {
      let now = now()
      return state.withLock { state in
        guard var entry = state.entries.value(forKey: key), entry.expiry > now else { return nil }
        if !isLook {
          entry.expiry = entry.expiration.date(since: now)
          state.entries.insert(entry, forKey: key, cost: entry.image.cost)
        }
        return entry.image
      }
    }

    func remove(forKey key: String) { state.withLock { _ = $0.entries.removeValue(forKey: key) } }
    func removeAll() { state.withLock { $0.entries.removeAll() } }

    func removeExpired() {
      let now = now()
      state.withLock { $0.clean(now) }
    }
  }
}
