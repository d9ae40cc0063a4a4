#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension MemoryStorage {
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
    /// Without a screen there is no background: kept for the sake of code that sets it.
    public var keepWhenEnteringBackground = false

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
}
