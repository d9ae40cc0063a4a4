import Concurrency
import Foundation
import Text

/// The part of a cache that holds images in memory: Kingfisher's `MemoryStorage`.
public enum MemoryStorage {
  /// Limits of a memory storage: Kingfisher's `MemoryStorage.Config`.
  public struct Config: Hashable, Sendable {
    /// Bytes that the values may cost together; a quarter of the machine's memory by default, 0 for no limit.
    public var totalCostLimit: Int
    /// How many values are kept; `Int.max`, the default, and 0 mean no limit.
    public var countLimit = Int.max
    /// Five minutes from the last access by default.
    public var expiration: StorageExpiration = .seconds(300)
    /// Seconds between two removals of what has expired; 120 by default.
    public var cleanInterval: TimeInterval

    /// Limits of cost and time. A value of 0 or less for the interval never removes by itself.
    public init(
      totalCostLimit: Int = Config.defaultCostLimit, cleanInterval: TimeInterval = 120
    ) {
      self.totalCostLimit = totalCostLimit
      self.cleanInterval = cleanInterval
    }

    /// A quarter of the machine's memory.
    public static var defaultCostLimit: Int {
      Int(clamping: ProcessInfo.processInfo.physicalMemory / 4)
    }
  }

  /// Values in memory within limits of cost, count and age; the least recently used go first.
  ///
  /// Kingfisher leaves the order to `NSCache`, which promises none.
  public final class Backend<Value: CacheCostCalculable & Sendable>: Sendable {
    private struct Entry: Sendable {
      var value: Value
      var cost: Int
      var expiration: StorageExpiration
      var expiry: Date
    }

    private struct State: Sendable {
      var config: Config
      var entries: LRUCache<String, Entry>
    }

    private let state: Locked<State>
    private let cleaning = Locked<Task<Void, Never>?>(nil)
    private let extendsAlways: Bool
    private let now: @Sendable () -> Date

    /// An empty storage. With a version before 5.6.0 every access begins the period again.
    public convenience init(config: Config = Config(), version: KingfisherVersion = .latest) {
      self.init(config: config, version: version) { Date() }
    }

    init(config: Config, version: KingfisherVersion, now: @escaping @Sendable () -> Date) {
      var entries = LRUCache<String, Entry>()
      entries.apply(config)
      state = Locked(State(config: config, entries: entries))
      extendsAlways = version < KingfisherVersion(5, 6, 0)
      self.now = now
    }

    deinit {
      cleaning.withLock { $0?.cancel() }
    }

    /// Lower limits hold at once; a new expiration holds for what is stored from now on.
    public var config: Config {
      get { state.withLock { $0.config } }
      set {
        let intervalChanges = state.withLock { state in
          defer {
            state.config = newValue
            state.entries.apply(newValue)
          }
          return state.config.cleanInterval != newValue.cleanInterval
        }
        if intervalChanges { restartCleaning() }
      }
    }

    /// Stores a value, unless it would be expired at once. Without an expiration the configured one holds.
    public func store(value: Value, forKey key: String, expiration: StorageExpiration? = nil) {
      let now = now()
      let cost = value.cacheCost
      let stored = state.withLock { state in
        let expiration = expiration ?? state.config.expiration
        guard !expiration.isExpired(at: now) else { return false }
        let entry = Entry(
          value: value, cost: cost, expiration: expiration,
          expiry: expiration.estimatedExpiration(since: now))
        state.entries.insert(entry, forKey: key, cost: cost)
        return true
      }
      if stored { startCleaning() }
    }

    /// The value of a key; an expired one does not count.
    public func value(forKey key: String, extendingExpiration: ExpirationExtending = .cacheTime) -> Value? {
      let now = now()
      return state.withLock { state in
        guard var entry = state.entries.value(forKey: key), entry.expiry > now else { return nil }
        switch extendsAlways ? .cacheTime : extendingExpiration {
        case .none: return entry.value
        case .cacheTime: entry.expiry = entry.expiration.estimatedExpiration(since: now)
        case .expirationTime(let expiration): entry.expiry = expiration.estimatedExpiration(since: now)
        }
        state.entries.insert(entry, forKey: key, cost: entry.cost)
        return entry.value
      }
    }

    /// Whether there is a value that has not expired. Its period does not begin again.
    public func isCached(forKey key: String) -> Bool {
      value(forKey: key, extendingExpiration: .none) != nil
    }

    /// Removes the value of a key, if there is one.
    public func remove(forKey key: String) {
      state.withLock { _ = $0.entries.removeValue(forKey: key) }
    }

    /// Removes all values.
    public func removeAll() {
      state.withLock { $0.entries.removeAll() }
    }

    /// Forgets what has expired. It happens by itself every ``Config/cleanInterval`` seconds.
    public func removeExpired() {
      let now = now()
      state.withLock { state in
        // From the oldest on: a look makes a value the newest, so the order comes out as it was.
        for key in state.entries.keysByRecency.reversed() {
          guard let entry = state.entries.value(forKey: key), entry.expiry <= now else { continue }
          state.entries.removeValue(forKey: key)
        }
      }
    }

    /// How many values are held, with those that have expired and were not removed yet.
    public var totalCount: Int { state.withLock { $0.entries.totalCount } }

    /// Bytes that these values cost.
    public var totalCost: Int { state.withLock { $0.entries.totalCost } }

    private func startCleaning() {
      let interval = config.cleanInterval
      cleaning.withLock { task in
        guard task == nil, interval > 0 else { return }
        task = Task { [weak self] in
          // The storage is held only while it cleans, so it can go between two times.
          while !Task.isCancelled {
            do { try await Task.sleep(nanoseconds: UInt64(min(interval, 1e9) * 1e9)) } catch { return }
            guard let self else { return }
            self.removeExpired()
          }
        }
      }
    }

    private func restartCleaning() {
      cleaning.withLock { task in
        task?.cancel()
        task = nil
      }
      if totalCount > 0 { startCleaning() }
    }
  }
}

extension LRUCache {
  fileprivate mutating func apply(_ config: MemoryStorage.Config) {
    costLimit = config.totalCostLimit > 0 ? config.totalCostLimit : .max
    countLimit = config.countLimit > 0 ? config.countLimit : .max
  }
}

/// A value that knows what it costs in memory: Kingfisher's `CacheCostCalculable`.
public protocol CacheCostCalculable {
  /// Bytes.
  var cacheCost: Int { get }
}
